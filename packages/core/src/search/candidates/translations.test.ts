import { expect, test } from 'vitest'
import { NoteSource } from '../../../test/note-source.ts'
import { hitsFor, openMemory, openNotes, pathsFor } from '../../../test/open-notes.ts'
import { createWordEmbedder } from '../../../test/word-embedder.ts'

const PAGES = {
  en: 'CORS means that a page in the browser asks a server at another address. The server has to answer that it allows this. Turn it on in the settings.',
  de: 'CORS bedeutet, dass eine Seite im Browser einen Server unter einer anderen Adresse fragt. Der Server muss antworten, dass er das erlaubt.',
  fr: "CORS signifie qu'une page du navigateur interroge un serveur à une autre adresse. Le serveur doit répondre qu'il le permet. Activez-le dans les réglages.",
  ru: 'CORS означает, что страница в браузере обращается к серверу по другому адресу. Сервер должен ответить, что он это разрешает.',
  uk: 'CORS означає, що сторінка в браузері звертається до сервера за іншою адресою. Сервер має відповісти, що дозволяє це.',
  ar: 'يعني CORS أن صفحة في المتصفح تسأل خادما في عنوان آخر. يجب أن يجيب الخادم بأنه يسمح بذلك. فعله في الإعدادات ثم أعد تشغيل الخدمة.',
  he: 'CORS אומר שדף בדפדפן שואל שרת בכתובת אחרת. השרת חייב להשיב שהוא מתיר זאת. הפעילו זאת בהגדרות והפעילו מחדש את השירות.',
  'zh-CN': 'CORS 表示浏览器中的页面向另一个地址的服务器提问。服务器必须回答它允许这样做。在设置中打开它，然后重启服务。',
  ja: 'CORS とは、ブラウザーのページが別のアドレスのサーバーに尋ねることです。サーバーは許可すると答えなければなりません。設定で有効にしてください。',
  ko: 'CORS는 브라우저의 페이지가 다른 주소의 서버에 묻는 것을 뜻합니다. 서버는 허용한다고 답해야 합니다. 설정에서 켜고 서비스를 다시 시작하세요.',
} as const
type Tag = keyof typeof PAGES
const TAGS = Object.keys(PAGES) as Tag[]

function page(tag: Tag, name = 'CORS (Cross-Origin Resource Sharing)'): string {
  const filler = Array.from({ length: 12 }, () => PAGES[tag].replaceAll('CORS', 'HTTP')).join('\n\n')
  return `# ${name}\n\n${PAGES[tag]}\n\n${filler}\n\n## ${tag}\n\n${filler}\n\n### Info ${tag}\n\nCORS: ${PAGES[tag]}`
}
const LAYOUTS: Readonly<Record<string, (tag: Tag) => string>> = {
  folders: (tag) => `docs/${tag}/tutorial/cors.md`,
  'folders beside the original': (tag) => (tag === 'en' ? 'docs/cors.md' : `docs/${tag}/cors.md`),
  'suffix .': (tag) => (tag === 'en' ? 'docs/cors.md' : `docs/cors.${tag}.md`),
  'suffix _': (tag) => `docs/cors_${tag.replace('-', '_')}.md`,
  'suffix -': (tag) => `docs/cors-${tag}.md`,
  'name alone': (tag) => `cors/${tag}.md`,
}
const ASKED = [
  ['CORS', 'en', undefined],
  ['CORS', 'de', 'de'],
  ['CORS', 'zh-CN', 'zh-TW'],
  ['CORS', 'fr', 'fr-CA'],
  ['how do I turn on CORS', 'en', 'de'],
  ['was bedeutet CORS', 'de', 'en'],
  ['CORS браузер', 'ru', 'en'],
  ['CORS браузер', 'uk', 'uk'],
  ['что означает CORS', 'ru', 'uk'],
  ['що таке CORS і навіщо', 'uk', 'ru'],
  ['CORS المتصفح', 'ar', 'en'],
  ['CORS דפדפן', 'he', 'en'],
  ['CORS 服务器', 'zh-CN', 'en'],
  ['CORS サーバー', 'ja', 'en'],
  ['CORS 서버', 'ko', 'en'],
] as const
for (const [layout, path] of Object.entries(LAYOUTS)) {
  test.each(ASKED)(
    `P12: ${layout}: %s finds the page in %s first (a reader of %s), its translations last`,
    async (query, tag, language) => {
      const notes = Object.fromEntries(TAGS.map((each) => [path(each), page(each)]))
      const other = 'notes/proxy.md'
      const { memory } = await openNotes(
        { ...notes, [other]: 'The proxy adds the header for CORS.' },
        { language: language ?? 'en' },
      )
      const hits = await hitsFor(memory, query, { limit: 40 })
      const paths = hits.map((hit) => hit.path)
      expect(paths[0]).toBe(path(tag))
      // A query of one word that names the page finds its beginning, not the short section with the word in it.
      expect(query !== 'CORS' || hits[0]?.startLine === 1).toBe(true)
      // A translation is never folded, and still found behind everything else.
      for (const translation of TAGS.filter((each) => each !== tag))
        expect(paths.indexOf(path(translation))).toBeGreaterThan(paths.indexOf(other))
      const scoreOf = (place: string) => hits.find((hit) => hit.path === place)?.score ?? 0
      for (const translation of TAGS.filter((each) => each !== tag))
        expect(scoreOf(path(translation))).toBeLessThanOrEqual(scoreOf(other))
    },
  )
}

test('P12: folders that only look like languages are none', async () => {
  const onboarding =
    'The first day: get a laptop, read the handbook, and meet the team for lunch. Onboarding takes a week in all.'
  const { memory } = await openNotes(
    {
      'team/it/onboarding.md': `${onboarding} Laptops are on the third floor, ask for the key.`,
      'team/hr/onboarding.md': `${onboarding} Contracts are signed on paper before noon.`,
      'team/other.md': 'onboarding',
    },
    { language: 'it' },
  )
  const paths = await pathsFor(memory, 'first day onboarding')
  expect(paths.at(-1)).toBe('team/other.md')
  const claims = await openNotes({
    'docs/de/x.md': page('en', 'Setup'),
    'docs/en/x.md': page('en', 'Setup').replaceAll('browser', 'client'),
  })
  const scores = await hitsFor(claims.memory, 'CORS settings', { limit: 20 })
  expect(scores.slice(0, 3).map(({ path }) => path)).toContain('docs/de/x.md')
})

test('P12: a page that alone holds a word of the question, or that was asked for by its path, is not held back', async () => {
  const notes = { 'docs/cors.md': page('en'), 'docs/cors.de.md': page('de'), 'docs/cors.fr.md': page('fr') }
  const { memory } = await openNotes(notes, { language: 'en' })
  expect((await pathsFor(memory, 'Adresse Browser erlaubt'))[0]).toBe('docs/cors.de.md')
  expect((await pathsFor(memory, 'cors.fr.md'))[0]).toBe('docs/cors.fr.md')
  expect((await pathsFor(memory, 'docs/cors.de.md'))[0]).toBe('docs/cors.de.md')
})

test('P12: with vectors on translations stand behind what else was found', async () => {
  const source = new NoteSource({
    'docs/en/cors.md': page('en'),
    'docs/de/cors.md': page('de'),
    'notes/proxy.md': 'The proxy sends the header for CORS.',
  })
  const meanings = [
    ['cors', 'browser', 'server'],
    ['proxy', 'header'],
  ]
  const memory = await openMemory([source], { embeddings: [createWordEmbedder({ meanings })], settings: { language: 'en' } })
  await memory.sync()
  const paths = await pathsFor(memory, 'CORS', { limit: 20 })
  expect(paths[0]).toBe('docs/en/cors.md')
  expect(paths.indexOf('docs/de/cors.md')).toBeGreaterThan(paths.indexOf('notes/proxy.md'))
})

test('P12: long paths of language codes are read in linear time', async () => {
  const path = `${'de/'.repeat(300)}x${'_de'.repeat(300)}.md`
  const { memory } = await openNotes({ [path]: page('de'), 'x.md': page('en') })
  expect((await pathsFor(memory, 'CORS')).length).toBeGreaterThan(1)
})

test('P12: the page that is read is found where its translations alone would fill the pool, and explain says what was held back', async () => {
  const realms = ['harbour', 'granite', 'lantern', 'orchard', 'compass', 'meadow', 'pebble', 'thistle', 'anvil']
  const copies = realms.map((realm) =>
    (['ar', 'he', 'zh-CN', 'ja', 'ko'] as const).map((tag) => [`docs/${tag}/${realm}.md`, `${PAGES[tag]} Kerberos ${realm}.`]),
  )
  const filler = (realm: string) => `The ${realm} is old and the ${realm} of ${realm} is not. `.repeat(30)
  const read = realms.map((realm) => [`docs/en/${realm}.md`, `${realm} ${PAGES.en} ${filler(realm)} Kerberos ${realm}.`])
  const { memory } = await openNotes(Object.fromEntries([...copies.flat(), ...read]), { language: 'en' })
  const hits = await hitsFor(memory, 'Kerberos', { limit: 10, explain: true })
  expect(hits.slice(0, 6).every(({ path }) => path.startsWith('docs/en/'))).toBe(true)
  expect(hits.at(-1)?.explain?.heldBack).toBe('translation')
})
