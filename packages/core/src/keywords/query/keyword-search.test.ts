import { type KeywordSegment, type StoreSnapshot, tieHash } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/testkit'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { segmentsOf, type TestDocument } from '../../../test/keyword-segments.ts'
import { dayNumber } from '../../dates/calendar/calendar-day.ts'
import { analyseRunOnce, exactTerms, gramTerms, spellingTerms } from '../../text/analyse.ts'
import { eachRun } from '../../text/runs.ts'
import { entriesOf } from '../format/block.ts'
import { CHANNELS, type ChannelName, channelOf } from '../format/channels.ts'
import { IDS_KEY, TRAIT_KEYS, UNDATED } from '../format/chunk-traits.ts'
import { compileQuery, type QueryTerm } from './keyword-query.ts'
import { KeywordCache, KeywordReader, readPlace } from '../read/keyword-reader.ts'
import { searchKeywords } from './keyword-search.ts'
import { mergeSegments } from '../build/merge-segments.ts'
import { readPostings } from '../format/postings.ts'
import { decodeHeader, readIds } from '../format/segment-header.ts'

const WORDS =
  'router vlan budget the of garden 会议 数据库 موعد المكتبة server C++ fetchUserProfile ประชุม naïve OC-41252 🚀'.split(' ')
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 25 }).map((words) => words.join(' '))
const document: fc.Arbitrary<TestDocument> = fc.record({
  text,
  context: fc.array(text, { maxLength: 2 }),
  path: fc.constantFrom('memory/2026-03-14.md', 'garden/router.md', 'a.md', '会议.md'),
  days: fc.constantFrom([], ['2026-03-14']),
  day: fc.constantFrom(undefined, '2026-03-14', '1969-07-20', '0001-01-01', '9999-12-31', 'someday'),
  ordinal: fc.nat(2),
})
const QUERY_CLOCK = { nowMs: Date.UTC(2026, 2, 16), timeZone: 'UTC' }

/** Decoded content of a segment: key to [chunk id, frequency]. */
async function contentOf(
  snapshot: StoreSnapshot,
  segment: { readonly id: string; readonly header: Uint8Array },
): Promise<Record<string, [number, number][]>> {
  const content: Record<string, [number, number][]> = {}
  const { count } = decodeHeader(segment.header)
  let ids: readonly number[] = []
  for await (const { bytes } of snapshot.scan(segment.id)) {
    for (const { key, value } of entriesOf(bytes)) {
      if (key === IDS_KEY) ids = readIds(value)
      const channel = channelOf(key)
      if (channel === undefined) continue
      const postings = { ordinals: new Uint32Array(count), frequencies: new Uint8Array(count) }
      const { maxFrequency } = CHANNELS[channel]
      const found = readPostings(value, postings, { offset: 0, base: 0, maxFrequency })
      content[key] = Array.from({ length: found }, (_, at) => [
        ids[postings.ordinals[at] ?? 0] ?? 0,
        postings.frequencies[at] ?? 0,
      ])
    }
  }
  return content
}

async function storeOf(segment: KeywordSegment): Promise<StoreSnapshot> {
  const store = createInMemoryStore()
  onTestFinished(() => store.close())
  const lease = await store.acquireLease('write')
  if (!lease) throw new Error('the lease of a new store is free')
  await store.replaceSegments(lease, [], segment)
  return store.snapshot()
}

async function mergedContent(snapshot: StoreSnapshot, drop: readonly string[]): Promise<Record<string, [number, number][]>> {
  const segment = await mergeSegments(snapshot, drop, 'merged')
  return contentOf(await storeOf(segment), segment)
}

test('merged segments say what one segment made at once says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(document, { maxLength: 4 }), { minLength: 1, maxLength: 5 }), async (batches) => {
      const parts = await segmentsOf(batches.map((documents) => ({ documents })))
      const whole = await segmentsOf([{ documents: batches.flat() }])
      const [segment] = await whole.segments()
      const drop = (await parts.segments()).map(({ id }) => id)
      expect(await mergedContent(parts, drop)).toEqual(segment && (await contentOf(whole, segment)))
    }),
    { numRuns: 60, seed: 4 },
  )
})

test('day, hash and beginning of a document are known of every chunk, also behind a merge', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(document, { maxLength: 6 }), { minLength: 1, maxLength: 4 }), async (batches) => {
      const snapshot = await segmentsOf(batches.map((documents) => ({ documents })))
      const drop = (await snapshot.segments()).map(({ id }) => id)
      const merged = await storeOf(await mergeSegments(snapshot, drop, 'merged'))
      for (const each of [snapshot, merged]) {
        const known = new Map<number, unknown>()
        for (const { id, header } of await each.segments()) {
          const { ids, days, hashes, firsts } = await readPlace(each, id, decodeHeader(header).count)
          ids.forEach((chunk, at) => known.set(chunk, [days[at], hashes[at], firsts[at]]))
        }
        const expected = batches
          .flat()
          .map(({ day, ordinal }, at) => [
            day === undefined || day === 'someday' ? UNDATED : dayNumber(day),
            tieHash({ source: 'memory', path: `${at + 1}.md` }, 0),
            ordinal === 0 ? 1 : 0,
          ])
        expect(expected.map((_, at) => known.get(at + 1))).toEqual(expected)
        const reader = await KeywordReader.open(each, new KeywordCache())
        for (const [at, [day]] of expected.entries())
          expect(reader.dayOf(reader.ordinalOf(at + 1) ?? -1)).toBe(day === UNDATED ? undefined : day)
      }
    }),
    { numRuns: 60, seed: 9 },
  )
})

test('a merge leaves out the dead, and keeps a tombstone only while its chunk stands elsewhere', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { minLength: 6, maxLength: 6 }),
      fc.subarray([1, 2, 3, 4]),
      async (documents, removed) => {
        const snapshot = await segmentsOf([
          { documents: documents.slice(0, 2) },
          { documents: documents.slice(2, 4) },
          { documents: documents.slice(4), removed },
        ])
        const content = await mergedContent(snapshot, ['s1', 's2'])
        const alive = new Set(Object.values(content).flatMap((postings) => postings.map(([id]) => id)))
        expect([...alive].sort()).toEqual([3, 4, 5, 6].filter((id) => !removed.includes(id)))
        const { header } = await mergeSegments(snapshot, ['s1', 's2'], 'merged')
        expect(decodeHeader(header).removed).toEqual(removed.filter((id) => id <= 2))
        const all = await mergeSegments(snapshot, ['s0', 's1', 's2'], 'all')
        expect(decodeHeader(all.header)).toMatchObject({ count: 6 - removed.length, removed: [] })
      },
    ),
    { numRuns: 60, seed: 5 },
  )
})

type Field = 'text' | 'context' | 'gram'

interface Counted {
  readonly terms: Readonly<Record<Field, ReadonlyMap<string, number>>>
  readonly length: Readonly<Record<Field, number>>
}

/** Occurrences of each term in a document, straight from the analysis. */
function count({ text: body, context }: TestDocument): Counted {
  const terms = { text: new Map<string, number>(), context: new Map<string, number>(), gram: new Map<string, number>() }
  const length = { text: 0, context: 0, gram: 0 }
  const add = (field: Field, term: string): void => void terms[field].set(term, (terms[field].get(term) ?? 0) + 1)
  for (const [field, value] of [['text', body] as const, ...context.map((part) => ['context', part] as const)]) {
    eachRun(value, (raw) => {
      const run = analyseRunOnce(raw)
      for (const term of exactTerms(run)) add(field, term)
      for (const gram of gramTerms(run)) add('gram', gram)
      length[field] += run.words.length
      length.gram += gramTerms(run).length
    })
  }
  return { terms, length }
}

function otherSpellings(value: string): string[] {
  const terms: string[] = []
  eachRun(value, (raw) => terms.push(...spellingTerms(analyseRunOnce(raw))))
  return terms
}

/** BM25 of one term of one document, by the formula and without an index; k1 is 1.2. */
function bm25(
  documents: readonly Counted[],
  at: number,
  { field, term }: { readonly field: Field; readonly term: string },
): number {
  const holders = documents.filter(({ terms }) => terms[field].has(term)).length
  const average = documents.reduce((sum, { length }) => sum + length[field], 0) / documents.length
  const frequency = Math.min(documents[at]?.terms[field].get(term) ?? 0, CHANNELS[field].maxFrequency)
  const { b } = CHANNELS[field]
  const norm = 1.2 * (1 - b + (b * (documents[at]?.length[field] ?? 0)) / average)
  return (Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5)) * frequency * 2.2) / (frequency + norm)
}

test('every part of a score is the BM25 of its term, counted from the texts themselves', async () => {
  const fields: readonly Field[] = ['text', 'context', 'gram']
  let checked = 0
  await fc.assert(
    fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 12 }), text, async (documents, words) => {
      const half = Math.ceil(documents.length / 2)
      const snapshot = await segmentsOf([{ documents: documents.slice(0, half) }, { documents: documents.slice(half) }])
      const reader = await KeywordReader.open(snapshot, new KeywordCache())
      const query = compileQuery(words, QUERY_CLOCK)
      const counted = documents.map(count)
      // Terms with several spellings are weighed in two parts, and have their own test.
      const others = new Set(documents.flatMap(({ text: body, context }) => [body, ...context].flatMap(otherSpellings)))
      const isOneSpelling = ({ otherwise = [] }: QueryTerm) =>
        otherwise.every((key) => !others.has(key.slice(1)) && counted.every(({ terms: { text: own } }) => !own.has(key.slice(1))))
      const terms = query.words.flatMap((word) => [...word.terms, ...word.grams]).filter(isOneSpelling)
      const checkedTerms = new Set(terms.map(({ channel, term }) => channel + term))
      for (const { chunkId, parts, bm25: sum } of await searchKeywords(reader, query, { limit: 100 })) {
        expect(parts.reduce((all, { part }) => all + part, 0)).toBeCloseTo(sum, 3)
        for (const field of fields) {
          const expected = terms
            .filter(({ channel }) => channel === field)
            .map(({ term, weight }) => weight * bm25(counted, chunkId - 1, { field, term }))
            .filter((part) => part > 0)
          const found = parts.flatMap(({ channel, term, part }) =>
            channel === field && checkedTerms.has(channel + term) ? part : [],
          )
          expect(found).toHaveLength(expected.length)
          expect(found.reduce((all, part) => all + part, 0)).toBeCloseTo(
            expected.reduce((all, part) => all + part, 0),
            3,
          )
          checked += found.length
        }
      }
    }),
    { numRuns: 40, seed: 6 },
  )
  expect(checked).toBeGreaterThan(1_000)
})

test('every chunk that holds a word of the query as it stands is found, best first', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 20 }), fc.constantFrom(...WORDS), async (documents, word) => {
      const snapshot = await segmentsOf([{ documents }])
      const reader = await KeywordReader.open(snapshot, new KeywordCache())
      const found = await searchKeywords(reader, compileQuery(word, QUERY_CLOCK), { limit: 100 })
      const ids = new Set(found.map(({ chunkId }) => chunkId))
      const holders = documents.flatMap((each, at) =>
        [each.text, ...each.context].some((part) => part.split(' ').includes(word)) ? [at + 1] : [],
      )
      expect(holders.filter((id) => !ids.has(id))).toEqual([])
      expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).toSorted((left, right) => right - left))
    }),
    { numRuns: 60, seed: 7 },
  )
})

test('fewer places asked for are the first of more, and what is not accepted is not among them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { minLength: 1, maxLength: 60 }),
      text,
      fc.integer({ min: 1, max: 10 }),
      async (documents, words, limit) => {
        const snapshot = await segmentsOf([{ documents }])
        const reader = await KeywordReader.open(snapshot, new KeywordCache())
        const query = compileQuery(words, QUERY_CLOCK)
        const all = await searchKeywords(reader, query, { limit: 100 })
        expect((await searchKeywords(reader, query, { limit: 40 })).slice(0, limit)).toEqual(all.slice(0, limit))
        const even = await searchKeywords(reader, query, { limit: 100, accepts: (id) => id % 2 === 0 })
        expect(even.map(({ chunkId }) => chunkId)).toEqual(all.map(({ chunkId }) => chunkId).filter((id) => id % 2 === 0))
      },
    ),
    { numRuns: 40, seed: 8 },
  )
})

test('the order of segments and tombstones does not matter to what is found', async () => {
  const documents = WORDS.map((word): TestDocument => ({ text: `${word} router`, context: [], path: 'a.md', days: [] }))
  const snapshot = await segmentsOf([{ documents: [], removed: [3, 7] }, { documents }])
  const reader = await KeywordReader.open(snapshot, new KeywordCache())
  expect(reader.liveCount).toBe(documents.length - 2)
  const found = await searchKeywords(reader, compileQuery('router', QUERY_CLOCK), { limit: 100 })
  expect(found.map(({ chunkId }) => chunkId).sort((left, right) => left - right)).toEqual(
    documents.map((_, at) => at + 1).filter((id) => id !== 3 && id !== 7),
  )
  expect(reader.ordinalOf(3)).toBeUndefined()
  expect(reader.idOf(reader.ordinalOf(4) ?? -1)).toBe(4)
})

const CHANNEL_NAMES = Object.keys(CHANNELS) as readonly ChannelName[] // the keys of a constant table

test('every channel has a letter of its own, behind the reserved keys', () => {
  expect(new Set(CHANNEL_NAMES.map((name) => CHANNELS[name].letter)).size).toBe(CHANNEL_NAMES.length)
  for (const name of CHANNEL_NAMES) expect(TRAIT_KEYS.every((key) => key < CHANNELS[name].letter)).toBe(true)
})
