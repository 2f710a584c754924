import { expect, test } from 'vitest'
import { segmentsOf, type TestDocument } from '../../test/keyword-segments.ts'
import { compileQuery } from './keyword-query.ts'
import { KeywordCache, KeywordReader } from './keyword-reader.ts'
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

function makeDocument(random: () => number): TestDocument {
  return {
    text: words(random, 1 + Math.floor(60 * random())),
    context: [words(random, 2)],
    path: `${zipfWord(random)}.md`,
    days: [],
  }
}

async function* randomQueries(): AsyncGenerator<{
  readonly reader: KeywordReader
  readonly text: string
  readonly limit: number
}> {
  for (let corpus = 0; corpus < CORPORA; corpus += 1) {
    const random = seeded(corpus + 1)
    const batches = Array.from({ length: 1 + (corpus % 3) }, () => ({
      documents: Array.from({ length: 5 + Math.floor(30 * random()) }, () => makeDocument(random)),
    }))
    const reader = await KeywordReader.open(await segmentsOf(batches), new KeywordCache())
    for (let query = 0; query < QUERIES; query += 1) {
      yield { reader, text: words(random, 1 + Math.floor(6 * random())), limit: 1 + Math.floor(20 * random()) }
    }
  }
}

test(`ranks as adding up everything does, in ${CORPORA * QUERIES} random queries`, async () => {
  let asked = 0
  for await (const { reader, text, limit } of randomQueries()) {
    const weighed = await weighQuery(reader, compileQuery(text, { nowMs: 0, timeZone: 'UTC' }))
    const terms = weighed.flatMap(({ exact, grams }) => [...exact, ...grams])
    const accepts = (ordinal: number) => ordinal % 7 !== 3
    const ranked = rankChunks(terms, { size: reader.size, limit, accepts })
    const sums = Array.from({ length: reader.size }, (_, ordinal) =>
      accepts(ordinal) ? terms.reduce((sum, term) => sum + contribution(term, ordinal), 0) : 0,
    )
    const expected = sums.filter((sum) => sum > 0).sort((left, right) => right - left)
    // Sums in single precision may swap chunks that are equal but for rounding, so scores are compared, and who has them.
    const distances = ranked.flatMap(({ ordinal, score }, at) => [score - (expected[at] ?? 0), score - (sums[ordinal] ?? 0)])
    expect(Math.max(0, ...distances.map(Math.abs))).toBeLessThan(1e-3)
    expect(ranked.length).toBe(Math.min(limit, expected.length))
    asked += 1
  }
  expect(asked).toBe(CORPORA * QUERIES)
})
