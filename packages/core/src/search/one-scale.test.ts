import type { EmbeddingProvider, MemorySettings } from '@mnemark/spec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NoteSource } from '../../test/note-source.ts'
import { hitsFor, openMemory, openNotes, search } from '../../test/open-notes.ts'
import { createWordEmbedder } from '../../test/word-embedder.ts'

const FIVE = ['copper', 'velvet', 'marble', 'walnut', 'indigo']

/** A short note for each number of words of a question, among others in which the words are as rare. */
function ladder(words: readonly string[], join = ' '): Record<string, string> {
  const steps = words.map((_, count): [string, string] => [`step${count + 1}.md`, words.slice(0, count + 1).join(join)])
  const crowd = Array.from({ length: 60 }, (_, at): [string, string] => [`crowd${at}.md`, `paper stone ${at} nothing of note`])
  return Object.fromEntries([...steps, ...crowd])
}

describe('P15: a score is the share of what the question could get', () => {
  test.each([
    ['English', FIVE, ' '],
    ['Russian', ['медь', 'бархат', 'мрамор', 'орех', 'краска'], ' '],
    ['Arabic', ['نحاس', 'مخمل', 'رخام', 'جوز', 'نيلة'], ' '],
    ['Chinese', ['铜器', '天鹅绒', '大理石', '核桃', '靛蓝'], '，'],
    ['Hindi', ['तांबा', 'मखमल', 'संगमरमर', 'अखरोट', 'नील'], ' '],
  ])('%s: all of five words near .9, one word alone well below', async (_name, words, join) => {
    const { memory } = await openNotes(ladder(words, join))
    const hits = await hitsFor(memory, words.join(' '), { limit: 10 })
    expect(hits.map(({ path }) => path)).toEqual(['step5.md', 'step4.md', 'step3.md', 'step2.md', 'step1.md'])
    const scores = hits.map(({ score }) => score)
    expect(scores[0]).toBeGreaterThan(0.75)
    expect(scores[4]).toBeLessThan(0.25)
    for (const [at, score] of scores.slice(1).entries()) expect((scores[at] ?? 0) - score).toBeGreaterThan(0.05)
  })

  test('where the words are equally rare, one of five shows about .12 to .2', async () => {
    const notes = Object.fromEntries(FIVE.map((word, at) => [`${at}.md`, word]))
    const { memory } = await openNotes({ ...notes, ...Object.fromEntries(Object.entries(ladder([])).slice(0, 40)) })
    for (const hit of await hitsFor(memory, FIVE.join(' '), { limit: 5 })) {
      expect(hit.score).toBeGreaterThan(0.11)
      expect(hit.score).toBeLessThan(0.2)
    }
  })

  test('words found nowhere count: three unknown ones beside a known one leave it low', async () => {
    const { memory } = await openNotes(ladder(FIVE))
    const [alone] = await hitsFor(memory, 'indigo')
    const [among] = await hitsFor(memory, 'indigo qwertz asdfgh yxcvbn')
    expect(alone?.score).toBeGreaterThan(0.5)
    expect(among?.score).toBeLessThan(0.3)
    expect(alone?.share).toBe(1)
    expect(among?.share).toBeGreaterThan(0.1)
    expect(among?.share).toBeLessThan(0.3)
  })

  test('a file the question names is a sure hit, and the nearer its name the surer', async () => {
    const { memory } = await openNotes({ 'plan.md': 'x', 'plan.md.md': 'y', 'old/plan.md': 'z', 'other.md': 'the plan plan.md' })
    const scores = (await hitsFor(memory, 'plan.md')).map(({ score }) => score)
    expect(scores.slice(0, 3).every((score) => score > 0.8 && score < 1)).toBe(true)
    expect(new Set(scores).size).toBe(scores.length)
  })
})

describe('share: how much of the question a hit holds', () => {
  test('rare words count more, function words nothing, forms as far as they are there', async () => {
    const common = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`n${at}.md`, `report number ${at} of the ${at}`]))
    const { memory } = await openNotes({ ...common, 'rare.md': 'zebra', 'both.md': 'a report about the zebra' })
    const shares = new Map(
      (await hitsFor(memory, 'what is the report of the zebra', { limit: 50 })).map((hit) => [hit.path, hit.share]),
    )
    expect(shares.get('both.md')).toBe(1)
    expect(shares.get('rare.md')).toBeGreaterThan(0.7)
    const ordinary = [...shares].find(([path]) => path.startsWith('n'))
    expect(ordinary?.[1]).toBeGreaterThan(0)
    expect(ordinary?.[1]).toBeLessThan(0.3)
    const [form] = await hitsFor(memory, 'zebras')
    expect(form?.share).toBeGreaterThan(0.5)
  })

  test('a question of function words alone has a share too, and a name counts as held', async () => {
    const { memory } = await openNotes({ 'a.md': 'to be or not to be', 'router.md': 'nothing of it' })
    expect((await hitsFor(memory, 'to be or not'))[0]?.share).toBe(1)
    expect((await hitsFor(memory, 'router.md'))[0]).toMatchObject({ path: 'router.md', share: 1 })
  })

  test('a date counts once, as the day of the note or by its words', async () => {
    const { memory } = await openNotes({
      'memory/2026-03-02.md': 'zebra seen',
      'words.md': 'zebra seen on March 2nd, 2026',
      'neither.md': 'zebra seen in a book',
    })
    const shares = new Map((await hitsFor(memory, 'zebra on March 2nd, 2026')).map(({ path, share }) => [path, share]))
    expect(shares.get('memory/2026-03-02.md')).toBe(1)
    expect(shares.get('words.md')).toBe(1)
    expect(shares.get('neither.md')).toBeLessThan(0.6)
  })
})

const MEANINGS = [
  ['router', 'network', 'wifi'],
  ['garden', 'plants'],
  ['dentist', 'tooth'],
]

async function withVectors(notes: Record<string, string>, settings: MemorySettings, provider: EmbeddingProvider = embedder()) {
  const memory = await openMemory([new NoteSource(notes)], { embeddings: [provider], settings })
  await memory.sync()
  return memory
}

function embedder(confidence = 1): ReturnType<typeof createWordEmbedder> {
  return createWordEmbedder({ meanings: MEANINGS, name: 'words', confidence, limits: { maxInputs: 32 } })
}

describe('P15: a keyword hit never looks worse for having a provider', () => {
  test.each([
    ['weighted', 0.3],
    ['weighted', 0.7],
    ['weighted', 1],
    ['rrf', 0.5],
  ] as const)('%s fusion, vectors at %d', async (fusion, vectorWeight) => {
    const words = [...MEANINGS.flat(), 'copper', 'velvet', 'marble']
    const note = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(fc.array(note, { minLength: 1, maxLength: 12 }), note, async (texts, query) => {
        const notes = Object.fromEntries(texts.map((text, at) => [`${at}.md`, text.join(' ')]))
        const memory = await withVectors(notes, { fusion, vectorWeight })
        const plain = await hitsFor(memory, query.join(' '), { limit: 20, overrides: { keywordsOnly: true } })
        const { hits } = await search(memory, query.join(' '), { limit: 20, explain: true })
        const alone = new Map(plain.map((hit) => [hit.citation, hit]))
        for (const hit of hits) {
          expect(hit.score).toBeGreaterThanOrEqual((alone.get(hit.citation)?.score ?? 0) - 1e-12)
          expect(hit.share).toBe(alone.get(hit.citation)?.share ?? hit.share)
        }
        const scores = hits.map(({ score }) => score)
        expect(scores).toEqual(scores.toSorted((left, right) => right - left))
      }),
      { numRuns: 25, seed: 15 },
    )
  })

  test('explain adds up: what each hit has of its own, and never less than the one below', async () => {
    const memory = await withVectors(
      { 'a.md': 'router network copper', 'b.md': 'router marble velvet', 'c.md': 'wifi plants', 'd.md': 'copper garden' },
      { minScore: 0, vectorWeight: 0.6 },
    )
    const hits = await hitsFor(memory, 'router copper', { explain: true, limit: 10 })
    expect(hits.length).toBeGreaterThan(2)
    let below = 0
    for (const { explain, score } of hits.toReversed()) {
      const { words = 0, vectors = 0, vectorWeight = 0, listScore = 0 } = explain?.fusion ?? {}
      below = Math.max(below, words + vectorWeight * Math.max(0, vectors - words))
      expect(explain?.fused).toBeCloseTo(below, 12)
      expect(score).toBe(explain?.fused)
      expect(listScore).toBeGreaterThan(0)
    }
  })
})

describe('vectors: a chunk without one is fused over its words alone', () => {
  const NOTES = { 'memory/health.md': 'The dentist is in town.', 'memory/home.md': 'The network was replaced.' }

  test('P81: right after an append what is filled is searched with its vectors, and the new note by its words', async () => {
    const source = new NoteSource(NOTES)
    const provider = embedder()
    const memory = await openMemory([source], { embeddings: [provider] })
    await memory.sync()
    source.write('memory/new.md', 'router copper')
    const reply = await search(memory, 'wifi')
    expect(reply).toMatchObject({ mode: 'hybrid', provider: 'words', degraded: [{ code: 'space-incomplete' }] })
    expect(reply.hits.map(({ path }) => path)).toEqual(['memory/home.md'])
    const { hits, degraded } = await search(memory, 'wifi copper', { explain: true })
    expect(degraded[0]?.message).not.toMatch(/Run index/)
    const added = hits.find(({ path }) => path === 'memory/new.md')
    expect(added?.explain?.fusion).toMatchObject({ vectorWeight: 0, listScore: 1 })
    expect(hits[0]?.path).toBe('memory/new.md')
    await memory.sync()
    expect((await search(memory, 'wifi')).degraded).toEqual([])
  })

  test('a text that was refused, and one of headings only, are not scored 0 either', async () => {
    const notes = { ...NOTES, 'memory/stub.md': '# Copper router\n', 'memory/plain.md': 'copper' }
    const memory = await withVectors(notes, { vectorWeight: 0.9 })
    const hits = await hitsFor(memory, 'copper wifi', { explain: true })
    for (const path of ['memory/stub.md', 'memory/plain.md'])
      expect(hits.find((hit) => hit.path === path)?.explain?.fusion?.vectorWeight).toBe(0)
  })
})
