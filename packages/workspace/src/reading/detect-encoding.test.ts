import { describe, expect, test } from 'vitest'
import { encode } from '../../test/encode.ts'
import { detectEncoding } from './detect-encoding.ts'

/** A note of some lines, and a few words, as people write them in each encoding that was common before UTF-8. */
const NOTES: readonly (readonly [label: string, sentence: string, ...short: string[]])[] = [
  [
    'windows-1252',
    'Grüße aus München, schöne Straße und viel Übung. Der Termin ist am Montag.',
    'Müller',
    '- Brötchen\n- Käse\n',
  ],
  ['windows-1252', 'Le café est fermé à Noël, le garçon préfère l’été. Où est la clé ?', 'café', '# Notes\nRéunion à 9 h'],
  ['windows-1252', 'La reunión será mañana en el jardín; ¿quién traerá el número?', 'mañana', 'El niño'],
  ['windows-1252', 'A reunião é amanhã às nove, não se esqueça do orçamento.', 'São Paulo', 'ação'],
  ['windows-1252', 'Mötet är på måndag i Göteborg. Vi tar tåget från Malmö.', 'på', 'Köpenhamn'],
  ['windows-1252', 'It’s “fine” – really… €5 for the book.', 'it’s', '• item one\n• item two\n'],
  ['windows-1251', 'Встреча перенесена на понедельник, оплата за квартиру девятьсот евро.', 'Встреча', '# Заметки\n- хлеб\n'],
  ['koi8-r', 'Встреча перенесена на понедельник, оплата за квартиру девятьсот евро.', 'Встреча', '# Заметки\n- хлеб\n'],
  ['windows-1256', 'الاجتماع يوم الاثنين في المكتب، والإيجار تسعمئة يورو.', 'الاجتماع', '# ملاحظات\n- خبز\n'],
  ['windows-1255', 'הפגישה ביום שני במשרד, שכר הדירה תשע מאות אירו.', 'פגישה', '# רשימה\n- לחם\n'],
  ['windows-1253', 'Η συνάντηση είναι τη Δευτέρα στο γραφείο, το ενοίκιο ανέβηκε.', 'συνάντηση', '# Σημειώσεις\n- ψωμί\n'],
  ['windows-1250', 'Spotkanie jest w poniedziałek, czynsz wynosi dziewięćset złotych.', 'Łódź', '- chleb żytni\n'],
  ['windows-1250', 'Schůzka je v pondělí, nájem činí devět set eur. Příliš žluťoučký kůň.', 'Schůzka', '- mléko\n'],
  ['shift_jis', '会議は月曜日に延期されました。家賃は九百ユーロです。', '会議', '# メモ\n- パン\n'],
  ['euc-jp', '会議は月曜日に延期されました。家賃は九百ユーロです。', '会議', '# メモ\n- パン\n'],
  ['gb18030', '会议改到星期五，房租是九百欧元。', '会议', '# 笔记\n- 面包\n'],
  ['big5', '會議改到星期五，房租是九百歐元。', '會議', '# 筆記\n- 麵包\n'],
  ['euc-kr', '회의는 월요일로 연기되었습니다. 집세는 구백 유로입니다.', '회의', '# 메모\n- 빵\n'],
  ['windows-874', 'การประชุมเลื่อนไปวันจันทร์', 'ประชุม', '# บันทึก\n'],
]

describe.each(NOTES)('P45: %s: %s', (label, sentence, ...short) => {
  test('a sentence is read as it was written', () => {
    expect(readAs(sentence, label)).toBe(sentence)
  })

  test.each(short)('%s is read as it was written, or is not sure, and never as something else', (text) => {
    expect([text, null]).toContain(readAs(text, label))
  })
})

test('P45: short notes of the encodings that are still about are sure', () => {
  const sure = [
    ['windows-1252', 'Müller'],
    ['windows-1252', 'café'],
    ['windows-1252', '# Einkauf\n- Brötchen\n- Käse\n'],
    ['windows-1252', 'El niño'],
    ['windows-1251', 'Встреча'],
    ['windows-1256', '# ملاحظات\n- خبز\n'],
    ['shift_jis', '# メモ\n- パン\n'],
    ['gb18030', '会议'],
  ] as const
  for (const [label, text] of sure) expect(readAs(text, label), `${text} in ${label}`).toBe(text)
})

test('P45: bytes that no encoding explains are not guessed at', () => {
  expect(detectEncoding(Uint8Array.from({ length: 400 }, (_, index) => (index * 37 + 128) % 256))).toBeNull()
  expect(detectEncoding(Buffer.from('one \x81\x8d two', 'latin1'))).toBeNull()
})

function readAs(text: string, label: string): string | null {
  const bytes = encode(text, label)
  const found = detectEncoding(bytes)
  return found === null ? null : new TextDecoder(found, { ignoreBOM: true }).decode(bytes)
}
