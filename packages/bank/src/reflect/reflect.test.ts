import { createMemory, documents } from '@mnemark/core'
import { createInMemoryStore } from '@mnemark/store-memory'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bankAnnotator } from '../facts/bank-annotator.ts'
import { FactRegistry } from '../facts/fact-registry.ts'
import { Opinions } from '../opinions/opinions-of.ts'
import { reflect, type ReflectOptions } from './reflect.ts'

const PAGES = /^bank\//u

/** A folder of notes that reflects and writes what it planned. */
async function folderOf(notes: Readonly<Record<string, string>>) {
  const workspace = documents({ ...notes })
  const texts = new Map(Object.entries(notes))
  const memory = await createMemory({
    store: createInMemoryStore(),
    workspace,
    annotators: [bankAnnotator()],
    caller: { agentId: 'main' },
  })
  const registry = new FactRegistry()
  const put = (path: string, text: string): void => {
    texts.set(path, text)
    workspace.put(path, text)
  }
  return {
    texts,
    put,
    close: () => memory.close(),
    reflect: async (options: ReflectOptions = {}) => {
      await memory.sync()
      const state = await memory.withIndex(({ snapshot }) => registry.read(snapshot))
      const pages = new Map([...texts].filter(([path]) => PAGES.test(path) || path === 'MEMORY.md'))
      const reflection = reflect(state, pages, options)
      for (const { path, after } of reflection.changes) put(path, after)
      return reflection
    },
  }
}

const day = (...lines: readonly string[]): string => `# Day\nRain.\n\n## Retain\n${lines.join('\n')}\n`

const NOTES = {
  'bank/slots.md': '---\nslots:\n  home: ["lives in", "moved to"]\n---\n\n# Slots\n',
  'memory/2024-05-01.md': day('- W @Mara: lives in Oslo', '- O(c=0.80) @Mara: prefers mail'),
  'memory/2026-02-01.md': day('- W @Mara: moved to Bergen', '- B @Mara: bought a boat'),
  'memory/2026-02-10.md': day('- O @Mara: prefers mail'),
  'memory/2026-02-20.md': day('- O @Mara: does not prefer mail', '- W @محمد: يسكن في بيرغن'),
}

test('pages are written once: a second run finds nothing to do, and every number stands on its page', async () => {
  const folder = await folderOf(NOTES)
  const first = await folder.reflect()
  expect(first.changes.map(({ path }) => path)).toEqual(['bank/entities/Mara.md', 'bank/world.md', 'bank/opinions.md'])
  const [opinion] = first.opinions
  expect(opinion?.statement).toBe('prefers mail')
  expect(opinion?.groups).toEqual({ for: 1, against: 1 })
  expect(folder.texts.get('bank/opinions.md')).toContain(
    `- O(c=${opinion?.confidence.toFixed(2)}) @Mara: prefers mail (stated: 0.80 on 2024-05-01)`,
  )
  expect(folder.texts.get('bank/entities/Mara.md')).toContain('moved to Bergen')
  const second = await folder.reflect()
  expect(second.changes.map(({ diff }) => diff)).toEqual([])
  expect(second.edited).toEqual([])
  expect(second.opinions.map(({ confidence }) => confidence)).toEqual(first.opinions.map(({ confidence }) => confidence))
  await folder.close()
})

test('a number that a person types on the page counts, survives further runs, and takes the evidence with it', async () => {
  const folder = await folderOf(NOTES)
  await folder.reflect()
  const page = folder.texts.get('bank/opinions.md') ?? ''
  folder.put('bank/opinions.md', page.replace(/\(c=0\.\d\d\)/, '(c=0.40)'))
  for (let run = 1; run <= 3; run += 1) {
    const { opinions, edited } = await folder.reflect()
    expect([opinions[0]?.confidence, edited]).toEqual([0.4, []])
  }
  folder.put('memory/2026-03-01.md', day('- O @Mara: prefers mail'))
  const { opinions } = await folder.reflect()
  // One support from .40: see the table of docs/opinions.md.
  expect(opinions[0]?.confidence).toBeCloseTo(0.5, 10)
  await folder.close()
})

test('text of a person around the blocks stays, and an edited block is left alone and named', async () => {
  const folder = await folderOf({
    ...NOTES,
    'bank/entities/Mara.md': '---\naliases: [مارا]\n---\n\n# Mara\n\nMet at the choir.\n',
  })
  await folder.reflect()
  const page = folder.texts.get('bank/entities/Mara.md') ?? ''
  expect(page.startsWith('---\naliases: [مارا]\n---\n\n# Mara\n\nMet at the choir.\n')).toBe(true)
  const edited = page.replace('bought a boat', 'sold a boat')
  folder.put('bank/entities/Mara.md', edited)
  const after = await folder.reflect()
  expect(after.edited.map(({ path }) => path)).toEqual(['bank/entities/Mara.md'])
  expect(folder.texts.get('bank/entities/Mara.md')).toBe(edited)
  await folder.close()
})

test('the order in which notes come decides no byte', async () => {
  const entries = Object.entries(NOTES)
  const pagesOf = async (order: readonly (readonly [string, string])[]): Promise<unknown> => {
    const folder = await folderOf({})
    for (const [path, text] of order) folder.put(path, text)
    await folder.reflect()
    await folder.close()
    return [...folder.texts].filter(([path]) => PAGES.test(path)).toSorted()
  }
  const expected = await pagesOf(entries)
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(entries, { minLength: entries.length }), async (order) => {
      expect(await pagesOf(order)).toEqual(expected)
    }),
    { numRuns: 12 },
  )
})

test('after one new day only the opinions are computed again that it touches', async () => {
  const notes = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `memory/2026-01-${String((at % 28) + 1).padStart(2, '0')}-${at}.md`,
      day(`- O(c=0.60) @P${at}: likes tea`),
    ]),
  )
  const folder = await folderOf(notes)
  const opinions = new Opinions()
  await folder.reflect({ opinions })
  // Their lines on the page are facts of the index as well.
  await folder.reflect({ opinions })
  const before = opinions.computed
  folder.put('memory/2026-02-01.md', day('- O @P7: likes tea'))
  await folder.reflect({ opinions })
  expect(opinions.computed - before).toBe(1)
  await folder.close()
})
