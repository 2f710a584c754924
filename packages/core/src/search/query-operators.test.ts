import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openNotes, pathsFor, search } from '../../test/open-notes.ts'

const NOTES = {
  'row.md': 'the red door of the boat house needs paint',
  'scattered.md': 'the door of the house is red and the boat is gone',
  'paint.md': 'paint and paintings for the painter',
  'zh-row.md': '我们决定升级数据库版本',
  'zh-scattered.md': '数据很多,版本库要升级',
  'ar-row.md': 'قررنا تأجيل موعد التسليم',
  'ar-scattered.md': 'موعد الطبيب غدا وبعده التسليم',
}

test('a quoted phrase finds only where its words stand in a row, in every script', async () => {
  const { memory } = await openNotes(NOTES)
  expect(await pathsFor(memory, '"boat house"')).toEqual(['row.md'])
  expect(await pathsFor(memory, '“boat house”')).toEqual(['row.md'])
  expect(await pathsFor(memory, '"数据库版本"')).toEqual(['zh-row.md'])
  expect(await pathsFor(memory, '"موعد التسليم"')).toEqual(['ar-row.md'])
  expect(await pathsFor(memory, '"house boat"')).toEqual([])
})

test('a note is found by key:value of its front matter, and by neither word alone', async () => {
  const { memory } = await openNotes({
    'printer.md':
      '---\ntype: Device\nauthor: Ann Müller\nlast-updated: 2026-03-14\nrelated: [router-note, nas-note]\n---\nIn the attic.',
    'list.md': 'every device of that type',
    'طابعة.md': '---\nالنوع: طابعة\n---\nفي المكتب',
  })
  for (const query of ['type:device', 'author:muller', 'last-updated:2026-03-14', 'related:router-note'])
    expect([query, ...(await pathsFor(memory, query))]).toContain('printer.md')
  expect(await pathsFor(memory, 'النوع:طابعه')).toEqual(['طابعة.md'])
  expect(await pathsFor(memory, 'device')).toEqual(['list.md'])
  expect(await pathsFor(memory, 'router-note')).toEqual([])
})

test('guillemets and corner brackets, with which names are written, ask for no phrase', async () => {
  const { memory } = await openNotes(NOTES)
  expect((await pathsFor(memory, '「数据库版本」')).sort()).toEqual(['zh-row.md', 'zh-scattered.md'])
  expect((await pathsFor(memory, '«موعد التسليم»')).sort()).toEqual(['ar-row.md', 'ar-scattered.md'])
})

test('a phrase is compared folded, and white space and line breaks in it do not matter', async () => {
  const { memory } = await openNotes({ 'a.md': 'The Naïve\n  café owner', 'b.md': 'café of the naïve' })
  expect(await pathsFor(memory, '"NAIVE   CAFE"')).toEqual(['a.md'])
})

test('a phrase is found by a hit of low rank too', async () => {
  const crowd = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [`${at}.md`, `door ${'red '.repeat(1 + (at % 7))}n${at}`]),
  )
  const { memory } = await openNotes({ ...crowd, 'far.md': `red door ${'other words that make it long '.repeat(40)}` })
  expect(await pathsFor(memory, '"red door"')).toEqual(['far.md'])
})

test('two phrases must both be there', async () => {
  const { memory } = await openNotes(NOTES)
  expect(await pathsFor(memory, '"red door" "needs paint"')).toEqual(['row.md'])
  expect(await pathsFor(memory, '"red door" "is gone"')).toEqual([])
})

test('a word behind a minus excludes, also in other scripts and as a phrase', async () => {
  const { memory } = await openNotes(NOTES)
  expect(await pathsFor(memory, 'door -paint')).toEqual(['scattered.md'])
  expect(await pathsFor(memory, 'door -"boat house"')).toEqual(['scattered.md'])
  expect(await pathsFor(memory, '升级 -数据库')).toEqual(['zh-scattered.md'])
  expect(await pathsFor(memory, 'موعد -الطبيب')).toEqual(['ar-row.md'])
})

test('an excluded word is excluded everywhere, however many better hits hold it', async () => {
  const crowd = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${at}.md`, `door door noise entry number${at}`]))
  const { memory } = await openNotes({ ...crowd, 'quiet.md': `one door among many other words ${'of a long text '.repeat(30)}` })
  expect(await pathsFor(memory, 'door -noise')).toEqual(['quiet.md'])
})

test('a minus inside a word, before a number or a flag is no operator', async () => {
  const { memory } = await openNotes({ 'a.md': 'run it with --verbose at -5 degrees', 'b.md': 'a well-known fact' })
  expect(await pathsFor(memory, '--verbose')).toEqual(['a.md'])
  expect(await pathsFor(memory, 'well-known')).toEqual(['b.md'])
  expect(await pathsFor(memory, 'degrees -5')).toEqual(['a.md'])
})

test('a word with a star finds all words that begin with it', async () => {
  const { memory } = await openNotes(NOTES)
  expect((await pathsFor(memory, 'paint*')).sort()).toEqual(['paint.md', 'row.md'])
  expect(await pathsFor(memory, 'painti*')).toEqual(['paint.md'])
  expect(await pathsFor(memory, 'PAINTE*')).toEqual(['paint.md'])
  expect(await pathsFor(memory, 'zzz*')).toEqual([])
})

test('index syntax typed by a person is text', async () => {
  const { memory } = await openNotes({ 'a.md': 'foo meets bar', 'b.md': 'near the col there is a val', 'c.md': 'quiet' })
  expect(await pathsFor(memory, 'foo AND (bar')).toEqual(['a.md'])
  expect(await pathsFor(memory, 'foo NOT bar)')).toEqual(['a.md'])
  expect(await pathsFor(memory, 'NEAR(')).toEqual(['b.md'])
  expect(await pathsFor(memory, 'col:val')).toEqual(['b.md'])
  expect(await pathsFor(memory, '{col} : ^val')).toEqual(['b.md'])
  expect(await pathsFor(memory, '"foo')).toEqual(['a.md'])
  expect(await pathsFor(memory, 'foo"')).toEqual(['a.md'])
  expect(await pathsFor(memory, "foo'; DROP TABLE chunks; --")).toEqual(['a.md'])
})

test.each(['', ' ', '\n\t', '*', '-', '"', '""', '"" ""', '- -', '" "', '-*', '()', '?!', '…', '\u200b', '-"', '*"*'])(
  'a query without a word to look for is an empty answer by keywords: %j',
  async (query) => {
    const { memory, source } = await openNotes({ 'a.md': 'foo', 'b.md': 'bar' })
    expect(await search(memory, query)).toMatchObject({ hits: [], mode: 'keywords', degraded: [], stale: false })
    expect(source.reads).toEqual([])
  },
)

test('stop words alone still find', async () => {
  const { memory } = await openNotes({ 'a.md': 'to be or not to be', 'b.md': 'paint' })
  expect(await pathsFor(memory, 'to be or not to be')).toEqual(['a.md'])
  expect(await pathsFor(memory, '"to be or not"')).toEqual(['a.md'])
})

test('no query throws, and every hit it has is a real place', async () => {
  const { memory } = await openNotes(NOTES)
  const syntax = fc.constantFrom(
    '"',
    '-',
    '*',
    '(',
    ')',
    ':',
    '\\',
    '%',
    ' ',
    'AND',
    'OR',
    'NEAR',
    '“',
    '\0',
    '\ud800',
    '数据',
    'موعد',
    'red',
  )
  const query = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.array(syntax, { maxLength: 12 }).map((parts) => parts.join('')),
  )
  await fc.assert(
    fc.asyncProperty(query, async (text) => {
      for (const { path } of (await search(memory, text)).hits) expect(Object.keys(NOTES)).toContain(path)
    }),
    { numRuns: 300, seed: 3 },
  )
})
