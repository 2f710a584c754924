import { describe, expect, test } from 'vitest'
import { openNotes, pathsFor } from '../../test/open-notes.ts'

/** Each spelling is a separate note; each finds all, itself first. */
const SPELLINGS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'P21: nukta': [
    ['ज़रूर', 'जरूर'],
    ['फ़ोन', 'फोन'],
    ['ਸ਼ਹਿਰ', 'ਸਹਿਰ'],
    ['ಫ಼ೋನ್', 'ಫೋನ್'],
  ],
  'P21: anusvara, candrabindu and the nasals': [
    ['हिंदी', 'हिन्दी'],
    ['संबंध', 'सम्बन्ध', 'सम्बंध'],
    ['चाँद', 'चांद'],
    ['पंचायत', 'पञ्चायत'],
    ['अंक', 'अङ्क'],
    ['घंटा', 'घण्टा'],
    ['गयी', 'गई'],
    ['चाहिये', 'चाहिए'],
    ['বাংলা', 'বাঙলা'],
    ['কিংবা', 'কিম্বা'],
    ['অংক', 'অঙ্ক'],
    ['চাঁদ', 'চাদ'],
    ['ਪੰਜਾਬ', 'ਪਂਜਾਬ', 'ਪਞ੍ਜਾਬ'],
    ['હિંદી', 'હિન્દી'],
    ['ସଂବନ୍ଧ', 'ସମ୍ବନ୍ଧ'],
    ['హిందీ', 'హిన్దీ'],
    ['ಹಿಂದಿ', 'ಹಿನ್ದಿ'],
    ['എന്റെ', 'എൻറെ', 'എൻ്റെ'],
    ['അതു്', 'അത്'],
    ['ஸ்ரீ', 'ஶ்ரீ'],
  ],
  'P22: national letters of Latin': [
    ['Größe', 'Groesse'],
    ['Müller', 'Mueller'],
    ['Århus', 'Aarhus'],
    ['Søren', 'Soeren'],
    ['Malmö', 'Malmoe'],
    ['Æbler', 'Äbler'],
    ['Großstadtmüllabfuhr', 'Grossstadtmuellabfuhr'],
  ],
  'P23: traditional, simplified and Japanese Han': [
    ['數據庫', '数据库'],
    ['圖書館', '图书馆', '図書館'],
    ['說明書', '说明书'],
    ['會議', '会议', '会議'],
    ['齋藤', '斎藤', '斋藤'],
  ],
  'P24: joined, spaced, with a zero-width non-joiner': [
    ['نرم‌افزار', 'نرم افزار', 'نرمافزار'],
    ['می‌خواهم', 'می خواهم', 'میخواهم'],
    ['کتاب‌خانه', 'کتاب خانه', 'کتابخانه'],
  ],
  'P24: abbreviations and apostrophes': [
    ['צה״ל', 'צה"ל', 'צהל'],
    ['ג׳ירפה', "ג'ירפה", 'גירפה'],
    ["it's", 'its', 'it’s'],
    ["don't", 'dont', 'don’t'],
    ['U.S.A.', 'USA', 'U.S.A'],
    ['node.js', 'nodejs', 'Node.JS'],
    ['e-mail', 'email'],
    ['wi-fi', 'wifi', 'Wi‑Fi'],
    ['GPT-4', 'gpt4'],
    ['елка', 'ёлка'],
    ["п'ять", 'п’ять', 'пять'],
  ],
  'P28: units': [
    ['100km', '100 km', '１００ｋｍ', '100㎞'],
    ['16GB', '16 gb'],
    ['2.5kg', '2.5 kg'],
    ['100км', '100 км'],
  ],
  'P28: numbers in groups': [
    ['1050', '1,050', '1.050', '1 050', '1\u00a0050', '1’050', '١٠٥٠', '１，０５０', '१०५०'],
    ['3000000', '3,000,000', '3.000.000', '3 000 000', '30,00,000', '3_000_000'],
    ['4111111111111111', '4111 1111 1111 1111', '4111-1111-1111-1111'],
    ['10500', '1,0500'],
    ['DE89370400440532013000', 'DE89 3704 0044 0532 0130 00'],
    ['+491701234567', '+49 170 1234567', '+49-170-1234567'],
  ],
}

/** Words that share letters with those above, but are no spellings of them. */
const OTHERS = 'मौसम अच्छा है\n\nthe weather, das Wetter, 天気, 天气很好, الطقس جميل, מזג האוויר, погода 77'

describe.each(Object.entries(SPELLINGS))('%s', (_kind, groups) => {
  const filler = ['lamp', 'chair', 'window', 'garden', 'kettle', 'pencil', 'bottle', 'ladder', 'basket']
  test.each(groups)('%s', async (...spellings) => {
    for (const place of ['text', 'heading', 'title', 'table'] as const) {
      const write: Record<typeof place, (word: string) => string> = {
        text: (word) => `${filler[spellings.indexOf(word)]}: ${word}`,
        heading: (word) => `# ${word}\n\n${filler[spellings.indexOf(word)]}`,
        title: (word) => `---\ntitle: '${word.replaceAll("'", "''")}'\n---\n\n${filler[spellings.indexOf(word)]}`,
        table: (word) => `| a | b |\n| --- | --- |\n| ${word} | ${filler[spellings.indexOf(word)]} |`,
      }
      const notes = Object.fromEntries(spellings.map((word, at) => [`n${at}.md`, write[place](word)]))
      const { memory } = await openNotes({ ...notes, 'other.md': OTHERS })
      for (const word of spellings) {
        const found = await pathsFor(memory, word, { limit: 20 })
        expect({ place, word, found: [...found].sort() }).toEqual({ place, word, found: Object.keys(notes).sort() })
        const same = spellings.flatMap((other, index) => (isSame(word, other) ? `n${index}.md` : []))
        expect({ place, word, same, first: same.includes(found[0] ?? '') }).toEqual({ place, word, same, first: true })
      }
    }
  })
})

/** Spellings that differ only in case, width, the sign of an apostrophe or the script of digits. */
function isSame(left: string, right: string): boolean {
  const plain = (text: string) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[’'׳]/g, "'")
      .replace(/[״"]/g, '"')
      .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
      .replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x966))
      .replace(/\u200c/g, '')
      .replace('ё', 'е')
      .replace(/\.$/, '')
      .replace(/‐|‑/g, '-')
  return plain(left) === plain(right)
}
