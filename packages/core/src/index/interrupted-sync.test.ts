import { createInMemoryStore, InMemoryDisk } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import '../../test/loaded-engine.ts'
import { NoteSource } from '../../test/note-source.ts'
import { NOW, openMemory, search } from '../../test/open-notes.ts'
import { VirtualClock } from '../../test/virtual-clock.ts'

function manyNotes(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}.md`, `lamp number${at}`]))
}

/** A source of `count` notes, each of which takes a while to read, on its own clock. */
function slowNotes(count: number, msPerNote: number): { source: NoteSource; now: () => number } {
  let nowMs = NOW
  const source = new NoteSource(manyNotes(count))
  source.beforeRead = async () => {
    nowMs += msPerNote
  }
  return { source, now: () => nowMs }
}

test.each([
  { msPerNote: 50, mostAtRisk: 20 },
  { msPerNote: 400, mostAtRisk: 3 },
  { msPerNote: 3_000, mostAtRisk: 1 },
  { msPerNote: 0, mostAtRisk: 60 },
])(
  'P61: with $msPerNote ms a note, at most $mostAtRisk notes are read and not yet in the index',
  async ({ msPerNote, mostAtRisk }) => {
    const { source, now } = slowNotes(60, msPerNote)
    const disk = new InMemoryDisk()
    const memory = await openMemory([source], { store: createInMemoryStore({ disk }), now })
    let atRisk = 0
    await memory.sync({
      onProgress: ({ phase, done }) => {
        if (phase === 'text') atRisk = Math.max(atRisk, done - disk.state.documents.size)
      },
    })
    expect(atRisk).toBeLessThanOrEqual(mostAtRisk)
    expect(disk.state.documents.size).toBe(60)
  },
)

test('P61: a sync that is told to stop keeps all it has read, and the next one reads only the rest', async () => {
  const disk = new InMemoryDisk()
  const source = new NoteSource(manyNotes(20))
  const memory = await openMemory([source], { store: createInMemoryStore({ disk }) })
  const abort = new AbortController()
  source.beforeRead = async (path) => {
    if (path === 'n11.md') abort.abort(new Error('enough'))
  }
  await expect(memory.sync({ signal: abort.signal })).rejects.toThrow('enough')
  expect(disk.state.documents.size).toBe(12)
  source.reads.length = 0
  expect(await memory.sync()).toMatchObject({ total: 20, indexed: 8, unchanged: 12 })
  expect(source.reads).toHaveLength(8)
})

test('P61: a dry run that is told to stop writes nothing', async () => {
  const disk = new InMemoryDisk()
  const source = new NoteSource(manyNotes(3))
  const memory = await openMemory([source], { store: createInMemoryStore({ disk }) })
  const abort = new AbortController()
  source.beforeRead = async () => abort.abort(new Error('enough'))
  await expect(memory.sync({ isDryRun: true, signal: abort.signal })).rejects.toThrow('enough')
  expect(disk.state.documents.size).toBe(0)
})

test('P61: a sync that is told to stop waits a second for another writer, not longer', async () => {
  const clock = new VirtualClock(NOW)
  const disk = new InMemoryDisk()
  const source = new NoteSource(manyNotes(3))
  const other = await createInMemoryStore({ disk }).acquireLease('write')
  const memory = await openMemory([source], { store: createInMemoryStore({ disk }), now: clock.now, sleep: clock.sleep })
  const abort = new AbortController()
  source.beforeRead = async () => abort.abort(new Error('enough'))
  await expect(clock.run(memory.sync({ signal: abort.signal }))).rejects.toThrow('enough')
  expect([clock.now() - NOW, disk.state.documents.size]).toEqual([1_000, 0])
  await other?.release()
})

test('P61: status of a partial index names how much is missing; of an empty and of a whole one there is nothing to name', async () => {
  const source = new NoteSource(manyNotes(20))
  const memory = await openMemory([source])
  expect((await memory.status()).degraded).toEqual([])
  const abort = new AbortController()
  source.beforeRead = async (path) => {
    if (path === 'n11.md') abort.abort(new Error('enough'))
  }
  await expect(memory.sync({ signal: abort.signal })).rejects.toThrow('enough')
  expect((await memory.status()).degraded).toEqual([
    { code: 'stale', message: '8 of 20 notes are not indexed yet; the next sync reads what is missing.' },
  ])
  await memory.sync()
  source.touch('n1.md')
  expect(await memory.status()).toMatchObject({ isDirty: true, degraded: [] })
})

test('P61: an answer from a partial index names how much is missing', async () => {
  const clock = new VirtualClock(NOW)
  const source = new NoteSource(manyNotes(20))
  const memory = await openMemory([source], { now: clock.now, sleep: clock.sleep })
  const abort = new AbortController()
  source.beforeRead = async (path) => {
    if (path === 'n11.md') abort.abort(new Error('enough'))
  }
  await expect(memory.sync({ signal: abort.signal })).rejects.toThrow('enough')
  const gate = Promise.withResolvers<void>()
  source.beforeRead = () => gate.promise
  const reply = await clock.run(search(memory, 'lamp'))
  expect(reply).toMatchObject({
    stale: true,
    degraded: [{ message: expect.stringContaining('still catching up: 8 of 20 notes are not indexed yet.') }],
  })
  gate.resolve()
})
