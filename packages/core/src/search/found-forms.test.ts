import { expect, test } from 'vitest'
import { openNotes, pathsFor } from '../../test/open-notes.ts'

interface Line {
  readonly text: string
  /** Each query ranks the line before every other line here. */
  readonly queries: readonly string[]
  /** Queries whose words other lines hold too: the line is among the hits. */
  readonly shared?: readonly string[]
}

const LINES: Readonly<Record<string, Line>> = {
  article: { text: 'قررنا أن الإطلاق يكون يوم الأحد', queries: ['اطلاق', 'الاطلاق', 'إطلاق'] },
  'ta marbuta': { text: 'زرت المكتبة العامة صباحا', queries: ['مكتبه', 'المكتبة', 'مكتبة'] },
  'short vowels': { text: 'قَرَّرَ المدير إيقاف المشروع', queries: ['قرر', 'قَرَّر'] },
  tatweel: { text: 'كتب في الدفتـــر القديم', queries: ['دفتر', 'الدفتر'] },
  'Arabic and English': {
    text: 'نقلنا الـ backend إلى خادم Hetzner بسبب التكلفة',
    queries: ['hetzner', 'خادم', 'التكلفه', 'backend'],
  },
  'Arabic digits': { text: 'رقم الفاتورة ٤٧١٩٣ مدفوع', queries: ['47193', '٤٧١٩٣', 'الفاتوره'] },
  'ASCII digits': { text: 'رقم الغرفة 58264 محجوز', queries: ['٥٨٢٦٤', '58264', '۵۸۲۶۴'] },
  Persian: { text: 'کتاب‌های تازه را می‌خوانم', queries: ['کتاب‌های', 'کتابهای', 'كتاب‌هاي', 'می‌خوانم'] },
  'Persian without ZWNJ': { text: 'فردا به خانههای قدیمی میرویم', queries: ['خانه‌های', 'می‌رویم'] },
  Hebrew: { text: 'תוקן ב־auth-service אחרי ה־2026-05-11', queries: ['auth-service', '2026-05-11', 'תוקן'] },
  'Hebrew points': { text: 'שָׁלוֹם לכל הבאים', queries: ['שלום'] },
  Chinese: { text: '东京的会议改到星期五', queries: ['会议', '星期五', '东京会议'], shared: ['东京'] },
  'Traditional Chinese': { text: '圖書館明天開門', queries: ['圖書館', '開門'] },
  'code in Chinese': { text: '调用parseConfig函数之后重启nginx服务', queries: ['parseConfig', 'nginx', '重启', 'parse config'] },
  'one Han letter': { text: '买了一盒茶和点心', queries: ['茶'] },
  Japanese: { text: 'サーバーの再起動が必要です', queries: ['再起動', 'サーバー', 'ｻｰﾊﾞｰ'] },
  Korean: { text: '데이터베이스를 서울리전으로옮겼다', queries: ['데이터베이스', '서울', '서울리전'] },
  Thai: { text: 'วันนี้ประชุมทีมการตลาดที่เชียงใหม่', queries: ['ประชุม', 'เชียงใหม่'], shared: ['การตลาด', 'ตลาด'] },
  'Latin accents': {
    text: 'The naïve café owner paid twice',
    queries: ['naive cafe', 'na\u00efve caf\u00e9', 'nai\u0308ve cafe\u0301', 'CAFÉ'],
  },
  'Latin accents, decomposed': {
    text: 'A fiance\u0301 with a cre\u0300me bru\u0302le\u0301e',
    queries: ['fiance', 'creme brulee', 'crème brûlée'],
  },
  German: { text: 'Die Hauptstraße bleibt gesperrt', queries: ['hauptstrasse', 'HAUPTSTRASSE', 'Hauptstraße', 'strasse'] },
  Turkish: { text: 'IŞIK ve İSTANBUL hattı açıldı', queries: ['istanbul', 'ışık', 'İstanbul', 'hatti acildi'] },
  Greek: { text: 'Ο ΟΔΥΣΣΕΥΣ έφτασε στην Ιθάκη', queries: ['οδυσσευς', 'Οδυσσεύς', 'ιθακη'] },
  Russian: { text: 'Ёлка стоит у причала с понедельника', queries: ['елка', 'причал', 'понедельник'] },
  Hindi: { text: 'हिन्दी में बैठक हुई', queries: ['हिन्दी', 'बैठक'] },
  'full width': { text: 'ＡＢＣＤ社と１２３４５円の契約', queries: ['abcd', '12345', 'ＡＢＣＤ'] },
  'dotted name': {
    text: 'Set memorySearch.query.hybrid to false',
    queries: ['memorySearch.query.hybrid', 'memorysearch.query', 'hybrid', 'memory search'],
  },
  ticket: { text: 'Ticket OC-41252 closed by Rana', queries: ['OC-41252', 'oc-41252', '41252'] },
  day: { text: 'open invoice 2026-03-14 from the printer', queries: ['2026-03-14'] },
  'plus signs': { text: 'Rewrote the parser in C++ over the weekend', queries: ['C++', 'c++'] },
  hash: { text: 'Reverted a828e60 on the release branch', queries: ['a828e60'] },
  version: { text: 'Upgraded turbine to v2.17.0 yesterday', queries: ['v2.17.0', 'turbine v2.17.0', '2.17.0'] },
  snake: { text: 'call apply_secrets() before start', queries: ['apply_secrets'], shared: ['secrets', 'apply secrets'] },
  kebab: { text: 'use the retry-after-header plugin', queries: ['retry-after-header', 'retry after header'] },
  camel: {
    text: 'renamed fetchUserProfile and XMLHttpThing',
    queries: ['fetchUserProfile', 'profile', 'user profile', 'XMLHttpThing', 'thing'],
  },
  path: {
    text: 'see src/adapters/postgres-pool.ts for details',
    queries: ['src/adapters/postgres-pool.ts', 'postgres-pool.ts', 'src\\adapters\\postgres-pool.ts'],
    shared: ['adapters', 'pool'],
  },
  'Windows path': { text: 'logs are in D:\\services\\gateway\\trace.log', queries: ['services/gateway', 'trace.log', 'gateway'] },
  URL: {
    text: 'docs at https://wiki.example.org/runbook/failover?tab=2',
    queries: ['https://wiki.example.org/runbook/failover?tab=2', 'wiki.example.org', 'runbook', 'failover'],
  },
  'e-mail': {
    text: 'write to lena.hoffmann@example.net about rent',
    queries: ['lena.hoffmann@example.net', 'hoffmann', 'lena hoffmann'],
    shared: ['lena', 'example.net'],
  },
  emoji: { text: 'shipped the garden box 🚀', queries: ['🚀'] },
  'joined emoji': { text: 'met the 👩🏽‍💻 from support', queries: ['👩‍💻', '👩🏽‍💻'] },
  flag: { text: 'team trip 🇲🇦 in autumn', queries: ['🇲🇦'] },
  issue: { text: 'discussed #4417 with the vendor', queries: ['#4417', '4417'] },
  plural: { text: 'Three budgets were approved', queries: ['budget', 'budgets', 'approve'] },
}

/** Lines similar to those above, which must not rank before them. */
const DISTRACTORS: readonly string[] = [
  'हिन्दू पर्व कल है',
  'हद से ज्यादा',
  'नदी के किनारे',
  'Ticket OC-41253 opened by Omar',
  'Ticket OC-4125 was a duplicate',
  'paid invoice 2026-03-15 to the printer',
  'Rewrote the C parser and the C# client',
  'Reverted a828e61 on the main branch',
  'Upgraded turbine to v2.17.1 today',
  'Set memorySearch.query.limit and hybrid cars to true',
  'secrets of the trade apply here',
  '东京的天气很好',
  '会长议定了新的章程',
  'اطلع المدير على التقرير',
  'كتب الطالب الواجب',
  'قرار المحكمة',
  'a nation of cafeterias',
  '데이터를 지웠다',
  'การเดินทางไปตลาด',
  'שלומי הגיע',
  'see src/adapters/postgres.ts and pool.ts',
  'docs at https://wiki.example.com/handbook',
  'write to lena.berg@example.net about food',
]

const NOTES = Object.fromEntries([
  ...Object.entries(LINES).map(([name, { text }]) => [`${name.replaceAll(/\W/g, '-')}.md`, text]),
  ...DISTRACTORS.map((text, at) => [`other-${at}.md`, text]),
])

const pathOf = (name: string) => `${name.replaceAll(/\W/g, '-')}.md`

test.each(Object.entries(LINES))('%s: every form ranks its line first', async (name, { queries, shared = [] }) => {
  const { memory } = await openNotes(NOTES)
  for (const query of queries) {
    const [first] = await pathsFor(memory, query)
    expect({ query, first }).toEqual({ query, first: pathOf(name) })
  }
  for (const query of shared) expect(await pathsFor(memory, query)).toContain(pathOf(name))
})

test('a Hindi word finds only itself, not words that share its consonants', async () => {
  const { memory } = await openNotes(NOTES)
  expect(await pathsFor(memory, 'हिन्दी')).toEqual(['Hindi.md'])
  expect(await pathsFor(memory, 'हद')).not.toContain('Hindi.md')
})

test('a lone Han letter finds every word that holds it, wherever it stands in the run', async () => {
  const { memory } = await openNotes({ 'a.md': '先喝茶再走', 'b.md': '茶叶很香', 'c.md': '红茶', 'd.md': '喝水' })
  expect((await pathsFor(memory, '茶')).sort()).toEqual(['a.md', 'b.md', 'c.md'])
})

test('identifiers of one family each find their own line, whatever the spelling of the query', async () => {
  const names = ['maxRetryCount', 'max_retry_delay', 'max-retry-jitter', 'MAX_RETRY_TOTAL', 'Max.Retry.Window']
  const { memory } = await openNotes(Object.fromEntries(names.map((name, at) => [`${at}.md`, `the setting ${name} is new`])))
  for (const [at, name] of names.entries()) {
    expect((await pathsFor(memory, name))[0]).toBe(`${at}.md`)
    expect((await pathsFor(memory, name.toLowerCase()))[0]).toBe(`${at}.md`)
  }
})
