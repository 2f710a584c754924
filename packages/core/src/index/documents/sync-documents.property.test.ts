import { createInMemoryStore, InMemoryDisk } from '@mnemark/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NoteSource } from '../../../test/note-source.ts'
import { openMemory, pathsFor } from '../../../test/open-notes.ts'

const PATHS = ['MEMORY.md', 'memory/2026-03-14.md', 'a.md', '会议.md', 'deep/er/b.md'] as const
const TEXTS = [
  'lamp',
  '# Title\n',
  '',
  'قرر المدير\n\n## More\n\nlamp',
  '会议改到星期五',
  `long ${'lamp of velvet '.repeat(300)}`,
] as const

const path = fc.constantFrom(...PATHS)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('write' as const), path, text: fc.constantFrom(...TEXTS) }) },
  fc.record({ do: fc.constant('touch' as const), path }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), path }) },
  fc.record({ do: fc.constant('rename' as const), path, to: path }),
  fc.record({ do: fc.constantFrom('break' as const, 'mend' as const) }),
  fc.record({ do: fc.constant('refuse' as const), path }),
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('sync' as const, 'search' as const, 'force' as const, 'dry' as const) }),
  },
  fc.record({ do: fc.constant('some' as const), path }),
  fc.record({ do: fc.constant('abort' as const), path }),
  fc.record({ do: fc.constant('other' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

type Memory = Awaited<ReturnType<typeof openMemory>>

async function take(one: Step, source: NoteSource, memories: { readonly own: Memory; readonly other: Memory }): Promise<void> {
  const { own } = memories
  switch (one.do) {
    case 'write':
      return source.write(one.path, one.text)
    case 'touch':
      return source.touch(one.path)
    case 'remove':
      return void source.notes.delete(one.path)
    case 'rename': {
      const content = source.notes.get(one.path)
      source.notes.delete(one.path)
      return content && source.write(one.to, content.text)
    }
    case 'break':
    case 'mend':
      source.isBroken = one.do === 'break'
      return
    case 'refuse':
      return void source.unreadable.set(one.path, new Error('refused'))
    case 'sync':
      return void (await own.sync())
    case 'force':
      return void (await own.sync({ force: true }))
    case 'dry':
      return void (await own.sync({ isDryRun: true }))
    case 'search':
      return void (await pathsFor(own, 'lamp'))
    case 'other':
      return void (await memories.other.sync())
    case 'some':
      return void (await own.sync({ paths: [{ source: 'memory', path: one.path }] }))
    case 'abort': {
      const abort = new AbortController()
      source.beforeRead = async (read) => {
        if (read === one.path) abort.abort(new Error('enough'))
      }
      await own.sync({ signal: abort.signal }).catch(() => {})
      source.beforeRead = async () => {}
    }
  }
}

/** Content of the index for every note, without ids. */
function contentOf(disk: InMemoryDisk): unknown {
  const documents = [...disk.state.documents.values()].map(({ document, chunkIds }) => ({
    ...document,
    chunks: chunkIds.map((id) => {
      const { id: _id, ...chunk } = { id: undefined, ...disk.state.chunks.get(id) }
      return chunk
    }),
  }))
  return documents.sort((left, right) => (left.path < right.path ? -1 : 1))
}

test('whatever happened to notes and syncs, a last sync leaves the index of the notes as they are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const source = new NoteSource({ 'a.md': 'lamp of velvet' })
      const disk = new InMemoryDisk()
      const [own, other] = [0, 1].map(() => openMemory([source], { store: createInMemoryStore({ disk }) }))
      const memories = { own: await own!, other: await other! }
      for (const one of steps) await take(one, source, memories)
      source.isBroken = false
      for (const refused of source.unreadable.keys()) source.touch(refused)
      source.unreadable.clear()
      await memories.own.sync()

      const fresh = new InMemoryDisk()
      const anew = await openMemory([source], { store: createInMemoryStore({ disk: fresh }) })
      expect(contentOf(disk)).toEqual((await anew.sync(), contentOf(fresh)))
      expect((await memories.own.status()).isDirty).toBe(false)
      for (const query of ['lamp', 'velvet', '会议', 'قرر', 'title']) {
        expect((await pathsFor(memories.own, query)).sort()).toEqual((await pathsFor(anew, query)).sort())
        expect((await pathsFor(memories.other, query)).sort()).toEqual((await pathsFor(anew, query)).sort())
      }
    }),
    { numRuns: 120 },
  )
})
