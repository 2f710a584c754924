import { DatabaseSync } from 'node:sqlite'
import { createTunedMemory, KEYWORD_TUNING, type KeywordTuning } from '@mnemark/core/tuning'
import type { DocumentSource, MemoryBackend } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createRandom } from './speed/notes/random.ts'

/** Words of the text alone, as FTS5 has them: no grams, stems, fields, coverage. */
const WORDS_ALONE: KeywordTuning = {
  ...KEYWORD_TUNING,
  weights: { ...KEYWORD_TUNING.weights, context: 0, path: 0, name: 0, stem: 0, gram: 0, stop: 1 },
  coverageBonus: 0,
}
const LEXICON = Array.from({ length: 300 }, (_, at) => `word${at.toString(36)}x`)
const COUNT = 400

function makeTexts(): string[] {
  const random = createRandom(11)
  const word = () => LEXICON[Math.floor(LEXICON.length ** random()) - 1] ?? 'word0x'
  return Array.from({ length: COUNT }, () => Array.from({ length: 4 + Math.floor(50 * random()) }, word).join(' '))
}

async function openMemory(texts: readonly string[]): Promise<MemoryBackend> {
  const source: DocumentSource = {
    id: 'memory',
    async *list() {
      for (const [at, text] of texts.entries()) yield { source: 'memory', path: `n${at}.md`, size: text.length, modifiedAtMs: 0 }
    },
    read: async ({ path }) => ({ text: texts[Number(path.slice(1, -3))] ?? '' }),
  }
  const reader = { read: () => Promise.reject(new Error('not read here')) }
  const memory = await createTunedMemory(
    { store: createInMemoryStore(), sources: [source], reader, settings: { timeZone: 'UTC' } },
    WORDS_ALONE,
  )
  onTestFinished(() => memory.close())
  await memory.sync()
  return memory
}

function openFts(texts: readonly string[]): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  database.exec("create virtual table notes using fts5(text, tokenize='unicode61')")
  const insert = database.prepare('insert into notes(rowid, text) values (?, ?)')
  for (const [at, text] of texts.entries()) insert.run(at, text)
  return database
}

/** BM25 of each note as FTS5 sums it, with its idf, ln((N − n + ½) / (n + ½)), exchanged for ours. */
function expectedScores(database: DatabaseSync, words: readonly string[]): number[] {
  const select = database.prepare('select rowid as id, -bm25(notes) as score from notes where notes match ?')
  const scores = new Map<number, number>()
  for (const word of new Set(words)) {
    const rows = select.all(`"${word}"`)
    const ratio = (COUNT - rows.length + 0.5) / (rows.length + 0.5)
    const exchange = Math.log(1 + ratio) / Math.max(Math.log(ratio), 1e-6)
    for (const row of rows) scores.set(Number(row['id']), (scores.get(Number(row['id'])) ?? 0) + Number(row['score']) * exchange)
  }
  return [...scores.values()].sort((left, right) => right - left)
}

test('on words alone the scores are those of FTS5', async () => {
  const texts = makeTexts()
  const memory = await openMemory(texts)
  const database = openFts(texts)
  const random = createRandom(12)
  for (let round = 0; round < 200; round += 1) {
    const words = Array.from({ length: 1 + (round % 4) }, () => LEXICON[Math.floor(LEXICON.length * random())] ?? '')
    const { hits } = await memory.search({ text: words.join(' '), limit: 10, caller: { agentId: 'main' }, explain: true })
    const found = hits.map(({ explain }) => explain?.keywords?.bm25 ?? 0)
    const expected = expectedScores(database, words).slice(0, 10)
    expect(found.length).toBe(expected.length)
    expect(Math.max(0, ...found.map((score, at) => Math.abs(score - (expected[at] ?? 0))))).toBeLessThan(1e-3)
  }
})
