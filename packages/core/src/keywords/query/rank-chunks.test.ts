import { expect, test } from 'vitest'
import { segmentsOf, type TestDocument } from '../../../test/keyword-segments.ts'
import { compileQuery, type KeywordQuery } from './keyword-query.ts'
import { KeywordCache, KeywordReader } from '../read/keyword-reader.ts'
import { searchKeywords } from './keyword-search.ts'
import { createPartCache } from '../read/part-cache.ts'
import { holdsPhrase, phraseKey } from './phrase.ts'
import { rankChunks } from './rank-chunks.ts'
import { contribution, weighQuery } from './weigh-query.ts'

const CORPORA = 40
const QUERIES = 250

/** mulberry32 */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const pick = <Item>(random: () => number, items: readonly Item[]): Item => items[Math.floor(items.length * random())] as Item // never empty

const SYLLABLES = ['ka', 'lo', 'mi', 'ren', 'tu', 'sha', 'بت', 'كم', 'ло', 'ми', '会', '议', '数']

/** Words by Zipf's law, so that some are in most chunks and most in few. */
function zipfWord(random: () => number): string {
  const rank = Math.floor(400 ** random())
  let word = ''
  for (let left = rank + 3; left > 0; left = Math.floor(left / SYLLABLES.length)) word += SYLLABLES[left % SYLLABLES.length]
  return word
}

function words(random: () => number, count: number): string {
  return Array.from({ length: count }, () => zipfWord(random)).join(' ')
}

const HAN = [...'中国会议数据']

/** A run of Han letters: a lone one of them in a query matches many pairs of the same chunk. */
function hanRun(random: () => number): string {
  return Array.from({ length: Math.floor(40 * random() ** 3) }, () => pick(random, HAN)).join('')
}

function makeDocument(random: () => number): TestDocument {
  return {
    text: `${words(random, 1 + Math.floor(60 * random()))} ${hanRun(random)}`,
    context: [`${words(random, 2)} ${random() < 0.3 ? words(random, 20) : ''}`],
    path: `${zipfWord(random)}.md`,
    days: [],
  }
}

/** Words, `prefix*`, lone letters of Han, phrases, excluded words: one to six of them. */
function randomQuery(random: () => number): string {
  const part = (): string => {
    const word = zipfWord(random)
    const kind = random()
    if (kind < 0.5) return word
    if (kind < 0.65) return `${word.slice(0, 1 + Math.floor(3 * random()))}*`
    if (kind < 0.8) return pick(random, HAN)
    return kind < 0.9 ? `"${words(random, 2)}"` : `-${word}`
  }
  return Array.from({ length: 1 + Math.floor(6 * random()) }, part).join(' ')
}

interface Case {
  readonly reader: KeywordReader
  /** The phrase key of a text, by chunk id; undefined where the chunk is deleted. */
  readonly keyOf: (id: number) => string | undefined
  readonly query: KeywordQuery
  readonly limit: number
}

/** About a third of each batch is deleted by a later one. */
async function* randomCases(): AsyncGenerator<Case> {
  for (let corpus = 0; corpus < CORPORA; corpus += 1) {
    const random = seeded(corpus + 1)
    const documents: TestDocument[] = []
    const dead = new Set<number>()
    const batches = Array.from({ length: 1 + (corpus % 4) }, () => {
      const removed = documents.flatMap((_, at) => (!dead.has(at + 1) && random() < 0.3 ? [at + 1] : []))
      for (const id of removed) dead.add(id)
      const own = Array.from({ length: 5 + Math.floor(30 * random()) }, () => makeDocument(random))
      documents.push(...own)
      return { documents: own, removed }
    })
    const reader = await KeywordReader.open(await segmentsOf(batches), new KeywordCache(createPartCache([0, 2_000][corpus % 8])))
    const keys = documents.map(({ context, text }, at) =>
      dead.has(at + 1) ? undefined : phraseKey([...context, text].join('\n')),
    )
    const keyOf = (id: number): string | undefined => keys[id - 1]
    for (let query = 0; query < QUERIES; query += 1) {
      const compiled = compileQuery(randomQuery(random), { nowMs: 0, timeZone: 'UTC' })
      yield { reader, keyOf, query: compiled, limit: 1 + Math.floor(20 * random()) }
    }
  }
}

/** Whether the text has every quoted phrase and no excluded one. */
function isRight(key: string, query: KeywordQuery): boolean {
  return (
    query.phrases.every((phrase) => holdsPhrase(key, phrase.key)) &&
    !query.excluded.some((phrase) => holdsPhrase(key, phrase.key))
  )
}

test(`P05: ranks as adding up everything does, in ${CORPORA * QUERIES} random queries`, async () => {
  const wrong: unknown[] = []
  let full = 0
  for await (const { reader, keyOf, query, limit } of randomCases()) {
    const terms = (await weighQuery(reader, query)).flatMap(({ exact, grams }) => [...exact, ...grams])
    const accepts = (ordinal: number) => isRight(keyOf(reader.idOf(ordinal)) ?? '', query)
    const compareEquals = (left: number, right: number) => reader.compareEquals(left, right)
    const ranked = rankChunks(terms, { size: reader.size, liveCount: reader.liveCount, limit, accepts, compareEquals })
    const sums = Array.from({ length: reader.size }, (_, ordinal) =>
      keyOf(reader.idOf(ordinal)) !== undefined && accepts(ordinal)
        ? terms.reduce((sum, term) => sum + contribution(term, ordinal), 0)
        : 0,
    )
    const expected = sums.filter((sum) => sum > 0).sort((left, right) => right - left)
    const isAsExpected = ranked.every(({ ordinal, score }, at) => {
      const before = ranked[at - 1]
      const isInOrder = before?.score !== score || compareEquals(before.ordinal, ordinal) < 0
      return isInOrder && Math.abs(score - (expected[at] ?? 0)) < 1e-9 && Math.abs(score - (sums[ordinal] ?? 0)) < 1e-9
    })
    if (!isAsExpected || ranked.length !== Math.min(limit, expected.length)) {
      wrong.push({ query: query.words.map(({ term }) => term), ranked, expected: expected.slice(0, limit) })
    }
    full += ranked.length === limit ? 1 : 0
  }
  expect(wrong).toEqual([])
  expect(full).toBeGreaterThan(1_000)
})

test('P05: every live chunk with a quoted phrase is found, none without its words', async () => {
  const lost: number[] = []
  const extra: number[] = []
  let found = 0
  for await (const { reader, keyOf, query } of randomCases()) {
    if (query.phrases.length === 0) continue
    const ids = (await searchKeywords(reader, query, { limit: 1_000 })).map(({ chunkId }) => chunkId)
    const holders = Array.from({ length: reader.size }, (_, ordinal) => reader.idOf(ordinal)).filter((id) => {
      const key = keyOf(id)
      return key !== undefined && query.phrases.every((phrase) => holdsPhrase(key, phrase.key))
    })
    lost.push(...holders.filter((id) => !ids.includes(id)))
    extra.push(...ids.filter((id) => keyOf(id) === undefined))
    found += holders.length
  }
  expect([lost, extra]).toEqual([[], []])
  expect(found).toBeGreaterThan(300)
})
