import type { MemoryBackend } from '@mnemark/spec'
import { createInMemoryStore, delayStore, InMemoryDisk } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { NoteSource } from '../../test/note-source.ts'
import { openMemory, search } from '../../test/open-notes.ts'
import { createWordEmbedder } from '../../test/word-embedder.ts'

// With a store behind a network, the number of consecutive calls, not of bytes, decides how long a search takes (P87).

const MOST = 6
const NOTES: Readonly<Record<string, string>> = {
  'MEMORY.md': '- The boiler is serviced each May.\n- Call "Brightwell Heating" about it.\n',
  'memory/2026-03-01.md': 'The boiler leaked again, the plumber came.\n',
  'memory/2026-03-09.md': 'Plumber again: replaced the valve of the boiler.\n',
  'projects/garden/README.md': '# Garden\n\nTomatoes beside the fence, the plumbing of the tap is done.\n',
  'words/ar.md': 'اتصلنا بالسباك بسبب الغلاية.\n',
  'words/zh.md': '锅炉每年五月检修一次。\n',
}
const MEANINGS = [
  ['boiler', 'heater'],
  ['plumber', 'tap'],
]
const embedder = (): ReturnType<typeof createWordEmbedder> =>
  createWordEmbedder({ meanings: MEANINGS, name: 'words', limits: { maxInputs: 32 } })

/** An index of several segments that were all searched once, so that every module of a search is loaded. */
async function filledDisk(isHybrid: boolean): Promise<InMemoryDisk> {
  const disk = new InMemoryDisk()
  const source = new NoteSource({})
  const memory = await openMemory([source], {
    store: createInMemoryStore({ disk }),
    ...(isHybrid && { embeddings: [embedder()] }),
  })
  for (const [path, text] of Object.entries(NOTES)) {
    source.write(path, text)
    await memory.sync()
  }
  for (const { text, filter } of QUESTIONS) await search(memory, text, filter && { filter })
  return disk
}

const QUESTIONS: readonly {
  readonly text: string
  readonly filter?: { readonly paths?: readonly string[]; readonly since?: string }
}[] = [
  { text: 'boiler' },
  { text: 'when did the plumber come about the boiler' },
  { text: '"valve of the boiler" plumber' },
  { text: 'plumb*' },
  { text: 'garden README' },
  { text: 'السباك' },
  { text: '锅炉检修' },
  { text: 'boiler', filter: { paths: ['memory/**'], since: '2026-03-01' } },
  { text: 'nothing of the kind' },
]

/** A process that has not searched yet, over a remote store. */
async function far(
  disk: InMemoryDisk,
  isHybrid: boolean,
): Promise<{ memory: MemoryBackend; late: ReturnType<typeof delayStore> }> {
  const late = delayStore(createInMemoryStore({ disk }))
  const memory = await openMemory([new NoteSource(NOTES)], {
    store: late.store,
    ...(isHybrid && { embeddings: [embedder()] }),
    settings: { syncOnSearch: false },
  })
  return { memory, late }
}

test.each(QUESTIONS)('a first search for $text waits for the store six times at most', async ({ text, filter }) => {
  const disk = await filledDisk(false)
  const { memory, late } = await far(disk, false)
  const trips = await late.countRoundTrips(() => search(memory, text, filter && { filter }))
  expect({ trips, calls: late.calls }.trips).toBeLessThanOrEqual(MOST)
  const again = await late.countRoundTrips(() => search(memory, text, filter && { filter }))
  expect(again).toBeLessThanOrEqual(trips)
})

test.each(QUESTIONS)('a first search by words and vectors for $text too', async ({ text, filter }) => {
  const disk = await filledDisk(true)
  const { memory, late } = await far(disk, true)
  const trips = await late.countRoundTrips(() => search(memory, text, filter && { filter }))
  expect({ trips, calls: late.calls }.trips).toBeLessThanOrEqual(MOST)
})
