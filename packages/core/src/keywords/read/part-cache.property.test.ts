import fc from 'fast-check'
import { expect, test } from 'vitest'
import { segmentsOf, type TestDocument } from '../../../test/keyword-segments.ts'
import { compileQuery } from '../query/keyword-query.ts'
import { KeywordCache, KeywordReader } from './keyword-reader.ts'
import { searchKeywords } from '../query/keyword-search.ts'
import { createPartCache } from './part-cache.ts'

const WORDS = 'router vlan budget garden 会议 数据库 موعد המכתב हिन्दी ประชุม server naïve C++ OC-41252 🚀'.split(' ')
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))
const document: fc.Arbitrary<TestDocument> = fc.record({
  text,
  context: fc.array(text, { maxLength: 1 }),
  path: fc.constantFrom('a.md', 'garden/router.md', '会议.md'),
  days: fc.constant([]),
})
/** Sizes in bytes: for nothing, one entry, a few, all. */
const cacheSize = fc.constantFrom(0, 1, 150, 600, 3_000, 16_000_000)

test('P04: what a search read it has, however small the cache and however many search at a time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(document, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
      fc.array(text, { minLength: 1, maxLength: 8 }),
      fc.subarray([1, 2, 3]),
      cacheSize,
      async (batches, queries, removed, bytes) => {
        const snapshot = await segmentsOf([...batches.map((documents) => ({ documents })), { documents: [], removed }])
        const answersOf = async (cache: () => KeywordCache) =>
          Promise.all(
            queries.map(async (query) => {
              const reader = await KeywordReader.open(snapshot, cache())
              return searchKeywords(reader, compileQuery(`${query} ro* 会`, { nowMs: 0, timeZone: 'UTC' }), { limit: 9 })
            }),
          )
        const shared = new KeywordCache(createPartCache(bytes))
        const alone = await answersOf(() => new KeywordCache())
        expect(await answersOf(() => shared)).toEqual(alone)
        expect(await answersOf(() => shared)).toEqual(alone)
      },
    ),
    { numRuns: 60, seed: 44 },
  )
})

test('P04: all of a hundred keys are answered, also without room for one', async () => {
  const words = Array.from({ length: 100 }, (_, at) => `word${at}`)
  const snapshot = await segmentsOf([{ documents: [{ text: words.join(' '), context: [], path: 'a.md', days: [] }] }])
  const reader = await KeywordReader.open(snapshot, new KeywordCache(createPartCache(0)))
  expect((await reader.postings(words.map((word) => `e${word}`))).size).toBe(100)
})

test('P04: an entry that is set again takes its place once', async () => {
  const documents = [{ text: 'router', context: [], path: 'a.md', days: [] }]
  const cache = new KeywordCache(createPartCache(1_000))
  const snapshot = await segmentsOf([{ documents }])
  const reader = await KeywordReader.open(snapshot, cache)
  await Promise.all(Array.from({ length: 50 }, () => reader.postings(['erouter'])))
  await reader.postings(['enothing'])
  let reads = 0
  const counting = { ...snapshot, segments: () => snapshot.segments(), blocks: async () => (reads++, []) }
  await (await KeywordReader.open(counting, cache)).postings(['erouter', 'enothing'])
  expect(reads).toBe(0)
})
