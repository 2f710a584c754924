import type { MemoryStore } from '@mnemark/spec'
import { WorkspaceError } from '@mnemark/spec'
import { createInMemoryStore, InMemoryDisk } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { NoteSource } from '../../../test/note-source.ts'
import { openMemory, openNotes, pathsFor, search } from '../../../test/open-notes.ts'

const THREE = { 'a.md': 'lamp velvet', 'b.md': 'lamp marble', 'c.md': 'lamp walnut' }

test('a second sync reads nothing and writes nothing', async () => {
  const source = new NoteSource(THREE)
  const disk = new InMemoryDisk()
  const memory = await openMemory([source], { store: createInMemoryStore({ disk }) })
  expect(await memory.sync()).toMatchObject({ total: 3, indexed: 3, unchanged: 0, removed: 0, chunks: 3, isComplete: true })
  source.reads.length = 0
  const { state } = disk
  expect(await memory.sync()).toMatchObject({ total: 3, indexed: 0, unchanged: 3, removed: 0, chunks: 3 })
  expect(source.reads).toEqual([])
  expect(disk.state).toBe(state)
})

test('a note that was only touched is read once and keeps its chunks', async () => {
  const source = new NoteSource(THREE)
  const disk = new InMemoryDisk()
  const memory = await openMemory([source], { store: createInMemoryStore({ disk }) })
  await memory.sync()
  const chunks = [...disk.state.chunks.keys()]
  source.reads.length = 0
  source.touch('b.md')
  expect(await memory.sync()).toMatchObject({ indexed: 0, unchanged: 3 })
  expect(await memory.sync()).toMatchObject({ indexed: 0, unchanged: 3 })
  expect(source.reads).toEqual(['b.md'])
  expect([...disk.state.chunks.keys()]).toEqual(chunks)
})

test('changed, renamed and removed notes are found as they are now', async () => {
  const { memory, source } = await openNotes(THREE)
  await memory.sync()
  source.write('a.md', 'lamp indigo')
  source.notes.delete('b.md')
  source.notes.delete('c.md')
  source.write('d.md', 'lamp walnut')
  expect(await memory.sync()).toMatchObject({ total: 2, indexed: 2, removed: 2, chunks: 2 })
  expect(await pathsFor(memory, 'velvet')).toEqual([])
  expect(await pathsFor(memory, 'indigo')).toEqual(['a.md'])
  expect(await pathsFor(memory, 'marble')).toEqual([])
  expect(await pathsFor(memory, 'walnut')).toEqual(['d.md'])
})

test('B35: a sync of some paths never deletes the rest, and the next search looks at everything', async () => {
  const { memory, source } = await openNotes(THREE)
  await memory.sync()
  source.write('a.md', 'lamp indigo')
  source.write('b.md', 'lamp saffron')
  source.notes.delete('c.md')
  const report = await memory.sync({ paths: [{ source: 'memory', path: 'a.md' }] })
  expect(report).toMatchObject({ total: 1, indexed: 1, removed: 0, chunks: 3 })
  expect((await pathsFor(memory, 'lamp')).sort()).toEqual(['a.md', 'b.md'])
  expect(await pathsFor(memory, 'saffron')).toEqual(['b.md'])
})

test('B35: a sync of some paths prunes one of them that is gone, and reports only them', async () => {
  const source = new NoteSource(THREE)
  const disk = new InMemoryDisk()
  const memory = await openMemory([source], { store: createInMemoryStore({ disk }) })
  await memory.sync()
  source.notes.delete('a.md')
  source.notes.delete('b.md')
  expect(await memory.sync({ paths: [{ source: 'memory', path: 'a.md' }] })).toMatchObject({ total: 0, indexed: 0, removed: 1 })
  expect([...disk.state.documents.values()].map(({ document }) => document.path)).toEqual(['b.md', 'c.md'])
})

test('B35: documents of a source that is not asked stay', async () => {
  const disk = new InMemoryDisk()
  const [notes, sessions] = [new NoteSource(THREE), new NoteSource({ 's.jsonl': 'lamp talk' }, 'sessions')]
  await (await openMemory([notes, sessions], { store: createInMemoryStore({ disk }) })).sync()
  const memory = await openMemory([notes], { store: createInMemoryStore({ disk }) })
  expect(await memory.sync()).toMatchObject({ removed: 0 })
  expect(await pathsFor(memory, 'talk')).toEqual(['s.jsonl'])
})

test('a listing that fails prunes nothing, still indexes what it listed, and is named in the answer', async () => {
  const { memory, source } = await openNotes(THREE)
  await memory.sync()
  source.notes.delete('a.md')
  source.write('d.md', 'lamp indigo')
  source.isBroken = true
  expect(await memory.sync()).toMatchObject({ removed: 0, indexed: 1, isComplete: false })
  const reply = await search(memory, 'lamp', { limit: 10 })
  expect(reply.hits.map(({ path }) => path).sort()).toEqual(['a.md', 'b.md', 'c.md', 'd.md'])
  expect(reply.degraded.map(({ code }) => code)).toEqual(['source-failed'])
  expect((await memory.status()).degraded.map(({ code }) => code)).toEqual(['source-failed'])
  source.isBroken = false
  expect((await search(memory, 'lamp', { limit: 10 })).degraded).toEqual([])
  expect(await pathsFor(memory, 'velvet')).toEqual([])
})

test('B23: a refused document is named, the rest is indexed whatever their order, and the next sync tries it again, a search does not', async () => {
  for (const refused of ['a.md', 'b.md']) {
    const { memory, source } = await openNotes(THREE)
    source.unreadable.set(refused, new WorkspaceError('unreadable', `${refused} is no UTF-8 text`))
    expect(await memory.sync()).toMatchObject({
      total: 3,
      indexed: 2,
      failed: [{ source: 'memory', path: refused, reason: `${refused} is no UTF-8 text` }],
    })
    source.reads.length = 0
    await memory.sync({ reason: 'search' })
    await memory.sync({ reason: 'watch' })
    expect(source.reads).toEqual([])
    for (const reason of ['manual', 'start', 'interval'] as const)
      expect(await memory.sync({ reason })).toMatchObject({ indexed: 0, unchanged: 2, failed: [{ path: refused }] })
    expect(source.reads).toEqual([refused, refused, refused])
    const { isDirty, details } = await memory.status()
    expect(isDirty).toBe(false)
    expect(details['skipped']).toMatchObject([{ path: refused, skipped: `${refused} is no UTF-8 text` }])
    source.unreadable.clear()
    expect(await memory.sync()).toMatchObject({ indexed: 1, failed: [] })
    expect((await memory.status()).details['skipped']).toEqual([])
  }
})

test('a refused document is tried again by a search once it has changed, and when a watch names it', async () => {
  for (const isTouched of [true, false]) {
    const { memory, source } = await openNotes(THREE)
    source.unreadable.set('a.md', new WorkspaceError('unreadable', 'locked'))
    await memory.sync()
    source.unreadable.clear()
    if (isTouched) source.touch('a.md')
    const named = { reason: 'watch', paths: [{ source: 'memory', path: 'a.md' }] } as const
    expect(await memory.sync(isTouched ? { reason: 'search' } : named)).toMatchObject({ indexed: 1, failed: [] })
  }
})

test('a refused document keeps what was known of it, and is tried again on request', async () => {
  const { memory, source } = await openNotes(THREE)
  await memory.sync()
  source.touch('a.md')
  source.unreadable.set('a.md', new WorkspaceError('unreadable', 'locked'))
  await memory.sync()
  expect(await pathsFor(memory, 'velvet')).toEqual(['a.md'])
  source.unreadable.clear()
  expect(await memory.sync({ force: true })).toMatchObject({ indexed: 3, failed: [] })
})

test('a sync of some paths remembers their refusals beside those of others', async () => {
  const { memory, source } = await openNotes(THREE)
  for (const path of ['a.md', 'b.md']) source.unreadable.set(path, new WorkspaceError('unreadable', 'locked'))
  await memory.sync({ paths: [{ source: 'memory', path: 'a.md' }] })
  await memory.sync({ paths: [{ source: 'memory', path: 'b.md' }] })
  expect((await memory.status()).details['skipped']).toMatchObject([{ path: 'a.md' }, { path: 'b.md' }])
  expect((await memory.status()).details['changed']).toBe(1)
})

test('B29: a document that is listed twice is indexed and found once', async () => {
  const source = new NoteSource({ 'MEMORY.md': 'uses pnpm' })
  const list = source.list.bind(source)
  source.list = async function* () {
    yield* list()
    yield* list()
  }
  const memory = await openMemory([source])
  expect(await memory.sync()).toMatchObject({ total: 1, indexed: 1, chunks: 1 })
  expect(await pathsFor(memory, 'pnpm')).toEqual(['MEMORY.md'])
  expect(await memory.sync()).toMatchObject({ total: 1, unchanged: 1 })
})

test('B32: a note deleted between listing and reading is absent, one changed in between ends with its last text', async () => {
  const { memory, source } = await openNotes(THREE)
  source.beforeRead = async (path) => {
    if (path === 'b.md') source.notes.delete('b.md')
    if (path === 'c.md' && source.reads.length < 4) source.write('c.md', 'lamp copper')
  }
  expect(await memory.sync()).toMatchObject({ total: 2, indexed: 2, unchanged: 0, removed: 0, failed: [] })
  expect(await pathsFor(memory, 'marble')).toEqual([])
  expect(await pathsFor(memory, 'copper')).toEqual(['c.md'])
  expect(await memory.sync()).toMatchObject({ indexed: 0, unchanged: 2 })
})

test('B32: an indexed note deleted between listing and reading leaves the index', async () => {
  const { memory, source } = await openNotes(THREE)
  await memory.sync()
  source.touch('b.md')
  source.beforeRead = async () => void source.notes.delete('b.md')
  expect(await memory.sync()).toMatchObject({ total: 2, unchanged: 2, removed: 1 })
  expect(await pathsFor(memory, 'marble')).toEqual([])
})

test('a file that is no note any more loses its rows, one that became unreadable keeps them', async () => {
  const { memory, source } = await openNotes(THREE)
  await memory.sync()
  for (const path of ['a.md', 'b.md']) source.notes.delete(path)
  source.skipped.set('a.md', 'too large: 11 MB')
  source.skipped.set('b.md', 'unreadable: permission denied')
  expect(await memory.sync()).toMatchObject({ removed: 1, skipped: [{ path: 'a.md' }, { path: 'b.md' }] })
  expect(await pathsFor(memory, 'velvet')).toEqual([])
  expect(await pathsFor(memory, 'marble')).toEqual(['b.md'])
})

test('force reads and writes everything anew', async () => {
  const { memory, source } = await openNotes(THREE)
  await memory.sync()
  source.reads.length = 0
  expect(await memory.sync({ force: true })).toMatchObject({ indexed: 3, unchanged: 0, chunks: 3 })
  expect(source.reads).toEqual(['a.md', 'b.md', 'c.md'])
  expect((await pathsFor(memory, 'lamp')).sort()).toEqual(['a.md', 'b.md', 'c.md'])
})

test('a dry run says what would happen and writes nothing', async () => {
  const source = new NoteSource(THREE)
  const disk = new InMemoryDisk()
  const memory = await openMemory([source], { store: createInMemoryStore({ disk }) })
  const { state } = disk
  expect(await memory.sync({ isDryRun: true })).toMatchObject({ total: 3, indexed: 3, chunks: 3 })
  expect(disk.state).toBe(state)
  await memory.sync()
  source.notes.delete('a.md')
  source.write('b.md', 'lamp indigo')
  const before = disk.state
  expect(await memory.sync({ isDryRun: true })).toMatchObject({ indexed: 1, removed: 1, unchanged: 1 })
  expect(disk.state).toBe(before)
})

test('another chunk size cuts every note anew, the same one none', async () => {
  const disk = new InMemoryDisk()
  const source = new NoteSource({ 'a.md': Array.from({ length: 40 }, (_, at) => `line ${at} of the lamp`).join('\n') })
  await (await openMemory([source], { store: createInMemoryStore({ disk }) })).sync()
  const same = await openMemory([source], { store: createInMemoryStore({ disk }) })
  expect(await same.sync()).toMatchObject({ indexed: 0, chunks: 1 })
  const other = await openMemory([source], {
    store: createInMemoryStore({ disk }),
    settings: { chunkTokens: 60, chunkOverlap: 0 },
  })
  expect((await other.status()).isDirty).toBe(true)
  const report = await other.sync()
  expect(report.indexed).toBe(1)
  expect(report.chunks).toBeGreaterThan(1)
})

test('an annotator adds attributes, and another version of it makes every note anew', async () => {
  const disk = new InMemoryDisk()
  const source = new NoteSource(THREE)
  const open = (version: string) =>
    openMemory([source], {
      store: createInMemoryStore({ disk }),
      annotators: [{ id: 'kinds', version, annotate: (_, content) => ({ ...content, attributes: { kind: `kind-${version}` } }) }],
    })
  await (await open('1')).sync()
  const memory = await open('2')
  expect(await memory.sync()).toMatchObject({ indexed: 3 })
  expect(await pathsFor(memory, 'velvet', { filter: { kinds: ['kind-2'] } })).toEqual(['a.md'])
})

test('another version of an annotator reads again only what it concerns, and writes only what differs', async () => {
  const disk = new InMemoryDisk()
  const source = new NoteSource({ 'bank/a.md': 'the lamp is lit', 'bank/b.md': 'a plain page', 'memory/c.md': 'the lamp is out' })
  const read: string[] = []
  source.beforeRead = async (path) => void read.push(path)
  const open = async (version: string) => {
    read.length = 0
    return openMemory([source], {
      store: createInMemoryStore({ disk }),
      annotators: [
        {
          id: 'lamps',
          version,
          concerns: (path) => path.startsWith('bank/'),
          annotate: (_, content) =>
            content.text.includes('lamp') ? { ...content, attributes: { kind: `lamp-${version}` } } : content,
        },
      ],
    })
  }
  expect(await (await open('1')).sync()).toMatchObject({ indexed: 3 })
  const memory = await open('2')
  expect((await memory.status()).isDirty).toBe(true)
  expect(await memory.sync()).toMatchObject({ indexed: 1, unchanged: 2 })
  expect(read).toEqual(['bank/a.md', 'bank/b.md'])
  expect(await pathsFor(memory, 'lamp', { filter: { kinds: ['lamp-2'] } })).toEqual(['bank/a.md'])
  const same = await open('2')
  expect((await same.status()).isDirty).toBe(false)
  expect(await same.sync()).toMatchObject({ indexed: 0, unchanged: 3 })
  expect(read).toEqual([])
})

test('an abort in the middle leaves a whole state, and the next sync completes it', async () => {
  const source = new NoteSource(THREE)
  const disk = new InMemoryDisk()
  const memory = await openMemory([source], { store: createInMemoryStore({ disk }) })
  const abort = new AbortController()
  source.beforeRead = async (path) => {
    if (path === 'b.md') abort.abort(new Error('enough'))
  }
  await expect(memory.sync({ signal: abort.signal })).rejects.toThrow('enough')
  expect(disk.state.documents.size).toBe(2)
  expect(await memory.sync()).toMatchObject({ total: 3, indexed: 1, unchanged: 2 })
  await expect(memory.sync({ signal: abort.signal })).rejects.toThrow('enough')
})

test('an abort while waiting for the write lease gives the lease back', async () => {
  const store = createInMemoryStore()
  const abort = new AbortController()
  const acquiring: MemoryStore = Object.assign(Object.create(store), {
    close: () => store.close(),
    snapshot: () => store.snapshot(),
    apply: (...call: Parameters<MemoryStore['apply']>) => store.apply(...call),
    acquireLease: async (...call: Parameters<MemoryStore['acquireLease']>) => {
      const lease = await store.acquireLease(...call)
      abort.abort(new Error('enough'))
      return lease
    },
  })
  const memory = await openMemory([new NoteSource(THREE)], { store: acquiring })
  await expect(memory.sync({ signal: abort.signal })).rejects.toThrow('enough')
  const lease = await store.acquireLease('write', { signal: AbortSignal.timeout(1_000) })
  expect(lease).not.toBeNull()
  await lease?.release()
})

test('progress begins at nothing and ends with everything', async () => {
  const { memory } = await openNotes(THREE)
  const events: string[] = []
  await memory.sync({ onProgress: ({ phase, done, total }) => events.push(`${phase} ${done}/${total}`) })
  expect(events[0]).toBe('list 0/null')
  expect(events.at(-1)).toBe('text 3/3')
})
