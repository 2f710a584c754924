import type { LegHit, LegsQuery, MemorySettings } from '@mnemark/spec'
import { describe, expect, test } from 'vitest'
import { refusal } from '../../../test/fake-embedder.ts'
import { NoteSource } from '../../../test/note-source.ts'
import { openMemory, search } from '../../../test/open-notes.ts'
import { createWordEmbedder } from '../../../test/word-embedder.ts'

const NOTES = {
  'memory/2026-03-01.md': '# Day\nMara bought a harbour map. The ferry was late.\n- Nils sold the boat\n- rain all day\n',
  'memory/2026-03-02.md': '# Day\nThe harbour was closed.\n',
  'memory/2026-03-03.md': '# Day\nThe harbour was closed.\n',
  'bank/world.md': 'Tides are high at the harbour in spring.\n',
  'notes/مارا.md': 'باعت مارا القارب.\n',
}

function open(settings: MemorySettings = {}, provider = embedder()) {
  return openMemory([new NoteSource(NOTES)], { embeddings: [provider], settings })
}

function embedder() {
  return createWordEmbedder({
    meanings: [
      ['harbour', 'port'],
      ['boat', 'vessel'],
    ],
    name: 'words',
    limits: { maxInputs: 32 },
  })
}

async function legsOf<Name extends string>(memory: Awaited<ReturnType<typeof open>>, query: LegsQuery<Name>) {
  return memory.withIndex((view) => view.searchLegs(query))
}

function paths(hits: readonly LegHit[]): readonly string[] {
  return hits.map(({ chunk }) => chunk.document.path)
}

describe('legs of one question', () => {
  test('each gives its own best, and the question is embedded once', async () => {
    const provider = embedder()
    const memory = await open({}, provider)
    await memory.sync()
    const before = provider.calls.length
    const {
      legs,
      mode,
      provider: by,
    } = await legsOf(memory, {
      text: 'port',
      legs: {
        all: { limit: 10 },
        bank: { filter: { paths: ['bank/**'] }, limit: 10 },
        march: { filter: { since: '2026-03-02', until: '2026-03-02' }, limit: 10 },
        one: { limit: 1 },
      },
    })
    expect([mode, by, provider.calls.length - before]).toEqual(['hybrid', 'words', 1])
    expect(paths(legs.all)).toHaveLength(4)
    expect(paths(legs.bank)).toEqual(['bank/world.md'])
    expect(paths(legs.march)).toEqual(['memory/2026-03-02.md'])
    expect(legs.march[0]).toMatchObject({ from: '2026-03-02', to: '2026-03-02' })
    expect(paths(legs.one)).toHaveLength(1)
    await legsOf(memory, { text: 'port', keywordsOnly: true, legs: { all: { limit: 10 } } })
    expect(provider.calls.length - before).toBe(1)
  })

  test('equal texts stand for themselves, but where a leg asks for distinct ones, in the order of a search', async () => {
    const memory = await open({ keywordsOnly: true })
    const text = 'harbour closed'
    const { legs } = await legsOf(memory, { text, legs: { every: { limit: 10 }, distinct: { limit: 10, isDistinct: true } } })
    const { hits } = await search(memory, text, { limit: 10 })
    expect(paths(legs.every)).toHaveLength(4)
    expect(paths(legs.distinct)).toEqual(hits.map(({ path }) => path))
    expect(legs.distinct[0]?.score).toBe(hits[0]?.score)
    expect(legs.distinct[0]?.share).toBe(hits[0]?.share)
  })

  test('only listed chunks, by a text of the leg, and by other names that are not missed', async () => {
    const memory = await open({ keywordsOnly: true })
    const all = await legsOf(memory, { text: 'harbour', legs: { all: { limit: 10 } } })
    const chunks = new Set(all.legs.all.slice(1).map(({ chunk }) => chunk.id))
    const { legs } = await legsOf(memory, {
      text: 'what did Mara sell',
      legs: {
        listed: { text: 'harbour', chunks, limit: 10 },
        named: { names: ['مارا'], limit: 10 },
        unnamed: { limit: 10 },
      },
    })
    expect(paths(legs.listed)).toEqual(paths(all.legs.all).slice(1))
    expect(paths(legs.unnamed)).not.toContain('notes/مارا.md')
    expect(paths(legs.named)).toContain('notes/مارا.md')
    const scoreOf = (hits: readonly LegHit[]) => hits.find(({ chunk }) => chunk.document.path === 'memory/2026-03-01.md')?.score
    expect(scoreOf(legs.named)).toBeCloseTo(scoreOf(legs.unnamed) ?? 0, 1)
  })

  test('entries of a hit have their lines and are weighed by the words of the leg, or by others', async () => {
    const memory = await open({ keywordsOnly: true })
    const { legs } = await legsOf(memory, { text: 'who sold the boat', legs: { all: { limit: 1 } } })
    const entries = legs.all[0]?.entries() ?? []
    expect(entries.map(({ text, startLine }) => [startLine, text])).toEqual([
      [2, 'Mara bought a harbour map.'],
      [2, 'The ferry was late.'],
      [3, '- Nils sold the boat'],
      [4, '- rain all day'],
    ])
    expect(entries.toSorted((left, right) => right.share - left.share)[0]?.startLine).toBe(3)
    expect(entries.find(({ startLine }) => startLine === 4)?.share).toBe(0)
    const by = { text: 'what about rain', names: ['ferry'] }
    const others = await legsOf(memory, { text: 'who sold the boat', legs: { all: { limit: 1, entriesBy: by } } })
    expect(others.legs.all[0]?.entries().map(({ share }) => share > 0)).toEqual([false, true, false, true])
  })

  test('without a word there is nothing, and nothing is embedded', async () => {
    const provider = embedder()
    const memory = await open({}, provider)
    await memory.sync()
    const before = provider.calls.length
    expect((await legsOf(memory, { text: ' ? ', legs: { all: { limit: 5 } } })).legs.all).toEqual([])
    expect(provider.calls.length).toBe(before)
  })

  test('where vectors are required and nobody can embed the question, the answer is unavailable', async () => {
    const provider = { ...embedder(), embed: async () => Promise.reject(refusal('auth')) }
    const memory = await openMemory([new NoteSource(NOTES)], { embeddings: [provider], settings: { requiresVectors: true } })
    const reply = await legsOf(memory, { text: 'harbour', legs: { all: { limit: 5 } } })
    expect(reply).toMatchObject({ mode: 'unavailable', legs: { all: [] }, degraded: [{ code: expect.any(String) }] })
  })

  test.each([0, -1, 1.5, 1_001])('a limit of %s is refused', async (limit) => {
    const memory = await open()
    await expect(legsOf(memory, { text: 'harbour', legs: { all: { limit } } })).rejects.toMatchObject({ code: 'invalid-value' })
  })

  test('the state is released and brought up to date, also where its user fails', async () => {
    const source = new NoteSource(NOTES)
    const memory = await openMemory([source], { settings: { keywordsOnly: true } })
    await expect(memory.withIndex(async () => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
    const { legs } = await memory.withIndex((view) => view.searchLegs({ text: 'ferry', legs: { all: { limit: 5 } } }))
    expect(paths(legs.all)).toEqual(['memory/2026-03-01.md'])
    await memory.close()
    await expect(memory.withIndex(async () => 1)).rejects.toMatchObject({ code: 'closed' })
  })
})
