import type { MemoryStore } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'
import { createInMemoryStore, InMemoryDisk } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { VirtualClock } from '../../test/virtual-clock.ts'
import '../../test/loaded-engine.ts'
import { NoteSource } from '../../test/note-source.ts'
import { NOW, openMemory, pathsFor, search } from '../../test/open-notes.ts'

const THREE = { 'a.md': 'lamp velvet', 'b.md': 'lamp marble', 'c.md': 'lamp walnut' }

/** Resolves once everything that can run without time passing has run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Holds every read of a note back until it is opened. */
class Gate {
  readonly #opened = Promise.withResolvers<void>()

  constructor(source: NoteSource) {
    source.beforeRead = () => this.#opened.promise
  }

  open(): void {
    this.#opened.resolve()
  }
}

/** A store whose `apply` can be made to fail. */
function fragileStore(disk: InMemoryDisk): { readonly store: MemoryStore; failWith: Error | undefined } {
  const inner = createInMemoryStore({ disk })
  const fragile = {
    failWith: undefined as Error | undefined, // widened so that a test can set it
    store: Object.assign(Object.create(inner), {
      apply: async (...call: Parameters<MemoryStore['apply']>) => {
        if (fragile.failWith) throw fragile.failWith
        await inner.apply(...call)
      },
      acquireLease: (...call: Parameters<MemoryStore['acquireLease']>) => inner.acquireLease(...call),
      replaceSegments: (...call: Parameters<MemoryStore['replaceSegments']>) => inner.replaceSegments(...call),
      maintain: (...call: Parameters<MemoryStore['maintain']>) => inner.maintain(...call),
      snapshot: () => inner.snapshot(),
      close: () => inner.close(),
    }),
  }
  return fragile
}

test('B40: a note written just before a search is found, a deleted one is gone', async () => {
  const source = new NoteSource(THREE)
  const memory = await openMemory([source])
  expect(await pathsFor(memory, 'lamp')).toHaveLength(3)
  source.write('memory/2026-08-01.md', 'codeword ZEBRA-COMET')
  expect(await pathsFor(memory, 'ZEBRA-COMET')).toEqual(['memory/2026-08-01.md'])
  source.notes.delete('a.md')
  expect(await pathsFor(memory, 'velvet')).toEqual([])
})

test('B40: status is dirty whenever disk and index differ', async () => {
  const source = new NoteSource(THREE)
  const memory = await openMemory([source])
  expect((await memory.status()).isDirty).toBe(true)
  await memory.sync()
  expect(await memory.status()).toMatchObject({ isDirty: false, documents: 3, chunks: 3 })
  source.write('d.md', 'lamp indigo')
  expect(await memory.status()).toMatchObject({ isDirty: true, details: { changed: 1, removed: 0 } })
  source.notes.delete('a.md')
  expect(await memory.status()).toMatchObject({ isDirty: true, details: { changed: 1, removed: 1 } })
})

test('B40: a search answers after a second from what it has, marked stale, while a long sync goes on', async () => {
  const clock = new VirtualClock(NOW)
  const source = new NoteSource(THREE)
  const memory = await openMemory([source], { now: clock.now, sleep: clock.sleep })
  await memory.sync()
  const gate = new Gate(source)
  source.write('d.md', 'lamp indigo')
  const answer = search(memory, 'lamp')
  await settled()
  clock.pass(1_000)
  const reply = await answer
  expect(reply).toMatchObject({ stale: true, degraded: [{ code: 'stale' }] })
  expect(reply.degraded[0]?.message).toContain('still catching up: 1 of 4 notes is not indexed yet.')
  expect(reply.hits).toHaveLength(3)
  gate.open()
  expect(await pathsFor(memory, 'indigo')).toEqual(['d.md'])
})

/** The warning of a search after a second when the look at the files, or the lease to write the result, takes longer. */
async function saidAfterASecond(
  change: (source: NoteSource) => void,
  held: 'listing' | 'reading' | 'failures',
): Promise<{ readonly stale: boolean; readonly said: string }> {
  const clock = new VirtualClock(NOW)
  const disk = new InMemoryDisk()
  const source = new NoteSource(THREE)
  const gate = Promise.withResolvers<void>()
  const memory = await openMemory([source], { store: createInMemoryStore({ disk }), now: clock.now, sleep: clock.sleep })
  await memory.sync()
  change(source)
  if (held === 'reading') source.beforeRead = () => gate.promise
  if (held === 'listing') source.beforeList = () => gate.promise
  const other = held === 'failures' ? await createInMemoryStore({ disk }).acquireLease('write') : null
  const { stale, degraded } = await clock.run(search(memory, 'lamp'))
  gate.resolve()
  await other?.release()
  return { stale, said: degraded.map(({ message }) => message).join(' ') }
}

test('P62: a look that found nothing to do is up to date, however long its end takes', async () => {
  // A note that fails is remembered, which waits for the other writer.
  const change = (source: NoteSource): void => {
    source.touch('a.md')
    source.unreadable.set('a.md', new Error('refused'))
  }
  expect(await saidAfterASecond(change, 'failures')).toEqual({ stale: false, said: '' })
})

test('P62: a look that is not finished is called that, whether something changed or not', async () => {
  const said = expect.stringMatching(/^The look at the files was not finished/)
  expect(await saidAfterASecond(() => {}, 'listing')).toEqual({ stale: true, said })
  expect(await saidAfterASecond((source) => source.write('d.md', 'lamp'), 'listing')).toEqual({ stale: true, said })
})

test.each([
  ['a changed note', (source: NoteSource) => source.write('a.md', 'lamp indigo'), '1 note has changed since it was indexed.'],
  [
    'a new, a changed and a removed note',
    (source: NoteSource) => {
      source.write('d.md', 'lamp')
      source.write('a.md', 'lamp indigo')
      source.notes.delete('c.md')
    },
    '1 of 3 notes is not indexed yet, 1 note has changed since it was indexed, 1 note is gone and still in the index.',
  ],
])('P62: "still catching up" is said where something changed: %s', async (_, change, what) => {
  const { stale, said } = await saidAfterASecond(change, 'reading')
  expect(stale).toBe(true)
  expect(said).toContain(`The index is still catching up: ${what}`)
})

test('an empty index waits for its first texts, however long they take', async () => {
  const clock = new VirtualClock(NOW)
  const source = new NoteSource(THREE)
  const gate = new Gate(source)
  const memory = await openMemory([source], { now: clock.now, sleep: clock.sleep })
  const answer = search(memory, 'lamp')
  await settled()
  clock.pass(600_000)
  await settled()
  gate.open()
  expect(await answer).toMatchObject({ stale: false, degraded: [] })
  expect((await answer).hits).toHaveLength(3)
})

test('a caller can give up waiting for the first texts', async () => {
  const source = new NoteSource(THREE)
  const gate = new Gate(source)
  const memory = await openMemory([source])
  const abort = new AbortController()
  const answer = search(memory, 'lamp', { signal: abort.signal })
  await settled()
  abort.abort(new Error('enough'))
  await expect(answer).rejects.toThrow('enough')
  await expect(search(memory, 'lamp', { signal: abort.signal })).rejects.toThrow('enough')
  gate.open()
  expect(await pathsFor(memory, 'velvet')).toEqual(['a.md'])
})

test('P74: a search that is cancelled stops the indexing that it began', async () => {
  const source = new NoteSource(THREE)
  const gate = new Gate(source)
  const memory = await openMemory([source])
  const abort = new AbortController()
  const answer = search(memory, 'lamp', { signal: abort.signal })
  await settled()
  expect(source.reads).toHaveLength(1)
  abort.abort(new Error('enough'))
  await expect(answer).rejects.toThrow('enough')
  gate.open()
  await settled()
  expect(source.reads).toHaveLength(1)
  // Notes already read are kept; the rest waits for the next sync.
  expect(await memory.status()).toMatchObject({ documents: 1 })
})

test('P74: it does not stop what another search waits for, nor a sync of its own', async () => {
  const source = new NoteSource(THREE)
  const gate = new Gate(source)
  const memory = await openMemory([source])
  const abort = new AbortController()
  const cancelled = search(memory, 'lamp', { signal: abort.signal })
  const kept = pathsFor(memory, 'velvet')
  await settled()
  const sync = memory.sync()
  abort.abort(new Error('enough'))
  await expect(cancelled).rejects.toThrow('enough')
  gate.open()
  expect(await kept).toEqual(['a.md'])
  expect(await sync).toMatchObject({ unchanged: 3 })
})

test('P74: a search that has answered from what there was lets the sync go on, also when its caller ends then', async () => {
  const clock = new VirtualClock(NOW)
  const source = new NoteSource(THREE)
  const memory = await openMemory([source], { now: clock.now, sleep: clock.sleep })
  await memory.sync()
  source.write('a.md', 'lamp indigo')
  const gate = new Gate(source)
  const abort = new AbortController()
  const stale = search(memory, 'lamp', { signal: abort.signal })
  await settled()
  clock.pass(1_000)
  expect(await stale).toMatchObject({ stale: true })
  abort.abort(new Error('over'))
  gate.open()
  await settled()
  expect(source.reads).toEqual(['a.md', 'b.md', 'c.md', 'a.md'])
  expect(await pathsFor(memory, 'indigo')).toEqual(['a.md'])
})

test('P74: whoever comes after everybody gave up gets a run of its own', async () => {
  const source = new NoteSource(THREE)
  const gate = new Gate(source)
  const memory = await openMemory([source])
  const running = memory.sync()
  await settled()
  const abort = new AbortController()
  const cancelled = search(memory, 'lamp', { signal: abort.signal })
  await settled()
  abort.abort(new Error('enough'))
  await expect(cancelled).rejects.toThrow('enough')
  source.write('d.md', 'lamp ochre')
  const kept = pathsFor(memory, 'ochre')
  gate.open()
  await running
  expect(await kept).toEqual(['d.md'])
})

test('syncs asked for at once run one after the other, and searches share one', async () => {
  const source = new NoteSource(THREE)
  const memory = await openMemory([source])
  let running = 0
  let most = 0
  source.beforeRead = async () => {
    running += 1
    most = Math.max(most, running)
    await settled()
    running -= 1
  }
  const reports = await Promise.all([memory.sync(), memory.sync(), memory.sync({ force: true })])
  expect(reports.map(({ indexed }) => indexed)).toEqual([3, 0, 3])
  expect(most).toBe(1)
  source.write('a.md', 'lamp indigo')
  source.reads.length = 0
  await Promise.all(Array.from({ length: 5 }, () => search(memory, 'lamp')))
  expect(source.reads).toEqual(['a.md'])
})

test('a sync that fails does not keep the next one from running', async () => {
  const source = new NoteSource(THREE)
  const fragile = fragileStore(new InMemoryDisk())
  const memory = await openMemory([source], { store: fragile.store })
  fragile.failWith = new StoreError('full', 'The disk is full.')
  await expect(memory.sync()).rejects.toMatchObject({ code: 'full' })
  fragile.failWith = undefined
  expect(await memory.sync()).toMatchObject({ indexed: 3 })
})

test('a store that cannot write leaves the old state to search in, marked stale with the cause', async () => {
  const source = new NoteSource(THREE)
  const fragile = fragileStore(new InMemoryDisk())
  const memory = await openMemory([source], { store: fragile.store })
  await memory.sync()
  fragile.failWith = new StoreError('full', 'The disk is full.')
  source.write('a.md', 'lamp indigo')
  const reply = await search(memory, 'lamp')
  expect(reply.hits.map(({ path }) => path).sort()).toEqual(['a.md', 'b.md', 'c.md'])
  expect(reply).toMatchObject({ stale: true, degraded: [{ code: 'stale' }] })
  expect(reply.degraded[0]?.message).toContain('The disk is full.')
  fragile.failWith = undefined
  expect(await pathsFor(memory, 'indigo')).toEqual(['a.md'])
})

test('a search does not wait for the merge that follows another search', async () => {
  const clock = new VirtualClock(NOW)
  const inner = createInMemoryStore()
  const merge = Promise.withResolvers<void>()
  let merges = 0
  const store: MemoryStore = Object.assign(Object.create(inner), {
    apply: (...call: Parameters<MemoryStore['apply']>) => inner.apply(...call),
    acquireLease: (...call: Parameters<MemoryStore['acquireLease']>) => inner.acquireLease(...call),
    snapshot: () => inner.snapshot(),
    close: () => inner.close(),
    replaceSegments: async (...call: Parameters<MemoryStore['replaceSegments']>) => {
      merges += 1
      await merge.promise
      await inner.replaceSegments(...call)
    },
  })
  const source = new NoteSource(THREE)
  const memory = await openMemory([source], { store, now: clock.now, sleep: clock.sleep })
  for (let round = 0; merges === 0 && round < 20; round += 1) {
    source.write('a.md', `lamp round${round}`)
    await pathsFor(memory, 'lamp')
    await settled()
  }
  expect(merges).toBe(1)
  expect(await search(memory, 'lamp')).toMatchObject({ stale: false })
  merge.resolve()
})

test('a sync that finds nothing changed needs no write lease', async () => {
  const disk = new InMemoryDisk()
  const source = new NoteSource(THREE)
  await (await openMemory([source], { store: createInMemoryStore({ disk }) })).sync()
  const lease = await createInMemoryStore({ disk }).acquireLease('write')
  const memory = await openMemory([source], { store: createInMemoryStore({ disk }) })
  expect(await memory.sync()).toMatchObject({ unchanged: 3 })
  expect(await pathsFor(memory, 'velvet')).toEqual(['a.md'])
  await lease?.release()
})

test('a writer that waits half a minute for another process reports it', async () => {
  const clock = new VirtualClock(NOW)
  const disk = new InMemoryDisk()
  const other = await createInMemoryStore({ disk }).acquireLease('write')
  const memory = await openMemory([new NoteSource(THREE)], {
    store: createInMemoryStore({ disk }),
    now: clock.now,
    sleep: clock.sleep,
  })
  const report = memory.sync()
  report.catch(() => {})
  await settled()
  clock.pass(30_000)
  await expect(report).rejects.toMatchObject({ code: 'lease-held' })
  await other?.release()
  expect(await memory.sync()).toMatchObject({ indexed: 3 })
})

test('a sync that is given up while another runs is over at once', async () => {
  const source = new NoteSource(THREE)
  const gate = new Gate(source)
  const memory = await openMemory([source])
  const first = memory.sync()
  const controller = new AbortController()
  const second = memory.sync({ signal: controller.signal })
  controller.abort(new Error('given up'))
  await expect(second).rejects.toThrow('given up')
  gate.open()
  expect(await first).toMatchObject({ indexed: 3 })
  expect(await memory.sync()).toMatchObject({ unchanged: 3 })
})

test('closing in the middle of a sync ends it whole, and what is closed says so', async () => {
  const disk = new InMemoryDisk()
  const source = new NoteSource(THREE)
  const memory = await openMemory([source], { store: createInMemoryStore({ disk }) })
  const gate = new Gate(source)
  const report = memory.sync()
  report.catch(() => {})
  await settled()
  const closed = memory.close()
  gate.open()
  await closed
  await expect(report).rejects.toMatchObject({ code: 'closed' })
  // Only the note read before the stop is kept.
  expect(disk.state.documents.size).toBe(1)
  await memory.close()
  await expect(memory.sync()).rejects.toMatchObject({ code: 'closed' })
  await expect(search(memory, 'lamp')).rejects.toMatchObject({ code: 'closed' })
  await expect(memory.status()).rejects.toMatchObject({ code: 'closed' })
  await expect(memory.read({ path: 'a.md', caller: { agentId: 'main' } })).rejects.toMatchObject({ code: 'closed' })
  const again = await openMemory([new NoteSource(THREE)], { store: createInMemoryStore({ disk }) })
  expect(await again.sync()).toMatchObject({ indexed: 2, unchanged: 1 })
})

test('two memories over one disk see what the other committed', async () => {
  const disk = new InMemoryDisk()
  const source = new NoteSource(THREE)
  const [left, right] = await Promise.all([0, 1].map(() => openMemory([source], { store: createInMemoryStore({ disk }) })))
  if (!left || !right) throw new Error('two memories were opened')
  await Promise.all([left.sync(), right.sync()])
  expect(disk.state.documents.size).toBe(3)
  expect((await pathsFor(left, 'lamp')).sort()).toEqual(['a.md', 'b.md', 'c.md'])
  for (let round = 0; round < 30; round += 1) {
    const [writer, reader] = round % 2 === 0 ? [left, right] : [right, left]
    source.write(`n${round % 7}.md`, `lamp round${round}`)
    await writer.sync()
    source.reads.length = 0
    expect(await pathsFor(reader, `round${round}`)).toEqual([`n${round % 7}.md`])
    expect(source.reads).toEqual([])
  }
})

test('B67: without any embedding provider notes are indexed and found, by keywords', async () => {
  const memory = await openMemory([new NoteSource({ 'MEMORY.md': 'uses pnpm' })], { embeddings: [] })
  await memory.sync()
  expect(await search(memory, 'pnpm')).toMatchObject({ mode: 'keywords', provider: null, hits: [{ path: 'MEMORY.md' }] })
  expect(await memory.status()).toMatchObject({ documents: 1, chunks: 1, spaces: [] })
})

test('reading goes to the reader as asked, and its answers come back as they are', async () => {
  const replies = {
    'absent.md': { path: 'absent.md', status: 'not-found', text: '', startLine: 0, endLine: 0 },
    'empty.md': { path: 'empty.md', status: 'empty', text: '', startLine: 0, endLine: 0 },
    'short.md': { path: 'short.md', status: 'ok', text: '', startLine: 0, endLine: 0, note: 'The file has 3 lines.' },
  } as const
  const asked: unknown[] = []
  const memory = await openMemory([new NoteSource()], {
    reader: {
      read: async (request) => {
        asked.push(request)
        return replies[request.path as keyof typeof replies] // the test asks for these paths only
      },
    },
  })
  for (const [path, reply] of Object.entries(replies)) {
    const request = { path, from: 50, lines: 5, caller: { agentId: 'main' } }
    expect(await memory.read(request)).toEqual(reply)
    expect(asked.at(-1)).toEqual(request)
  }
})

test('P61: with syncOnSearch false a search says how much a sync that is on, or was stopped, has not done', async () => {
  const source = new NoteSource(THREE)
  const memory = await openMemory([source], { settings: { syncOnSearch: false } })
  await memory.sync({ paths: [{ source: 'memory', path: 'a.md' }] })
  const abort = new AbortController()
  source.beforeRead = async (path) => {
    if (path === 'b.md') abort.abort(new Error('enough'))
  }
  await expect(memory.sync({ signal: abort.signal })).rejects.toThrow('enough')
  expect(await search(memory, 'lamp')).toMatchObject({
    stale: true,
    degraded: [{ code: 'stale', message: expect.stringContaining('still catching up: 1 of 3 notes is not indexed yet.') }],
  })
  await memory.sync()
  expect(await search(memory, 'lamp')).toMatchObject({ stale: false, degraded: [] })
})

test('with syncOnSearch false a search answers from the last sync, and only an empty index is filled first', async () => {
  const source = new NoteSource(THREE)
  const memory = await openMemory([source], { settings: { syncOnSearch: false } })
  expect(await pathsFor(memory, 'lamp')).toHaveLength(3)
  source.write('d.md', 'lamp copper')
  expect(await search(memory, 'copper')).toMatchObject({ hits: [], stale: false })
  await memory.sync()
  expect(await pathsFor(memory, 'copper')).toEqual(['d.md'])
})
