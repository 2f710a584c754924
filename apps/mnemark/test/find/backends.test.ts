import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createMemory } from '@mnemark/core'
import type { MemoryBackend } from '@mnemark/spec'
import { createQmdBackend, planCollections, qmdHome } from '@mnemark/store-qmd'
import { openSqliteStore } from '@mnemark/store-sqlite'
import type { Deviation } from '@mnemark/testkit'
import { describeMemoryBackend } from '@mnemark/testkit/vitest'
import { openWorkspace } from '@mnemark/workspace'
import { afterAll, describe } from 'vitest'
import { hasQmd, QMD } from '../harness/qmd-program.ts'

// One contract for whoever answers as a whole, each over real files read by the one set of path rules.

interface Place {
  readonly root: string
  readonly workspace: string
}

async function openBuiltIn({ workspace }: Place): Promise<MemoryBackend> {
  const notes = await openWorkspace({ root: workspace })
  const store = await openSqliteStore({ path: ':memory:' })
  return createMemory({ store, sources: [notes.source], reader: notes.reader })
}

async function openQmd({ root, workspace }: Place): Promise<MemoryBackend> {
  const notes = await openWorkspace({ root: workspace })
  return createQmdBackend({
    home: qmdHome(join(root, 'state'), 'main'),
    collections: planCollections({ workspace }),
    reader: notes.reader,
    command: QMD,
    environment: { ...process.env, XDG_CACHE_HOME: join(root, 'cache') },
    // A loaded machine is no reason to fail.
    limits: { timeoutMs: 30_000 },
  })
}

type Open = (place: Place) => Promise<MemoryBackend>
/** The app lets the built-in engine list in its place. */
const QMD_LISTS: readonly Deviation[] = [
  { id: 'M25', reason: 'QMD knows no days', since: '2026-12' },
  { id: 'M27', reason: 'QMD knows no tags', since: '2026-12' },
]
const BACKENDS: readonly (readonly [name: string, isHere: boolean, open: Open, deviations: readonly Deviation[]])[] = [
  ['builtin', true, openBuiltIn, []],
  ['qmd', hasQmd, openQmd, QMD_LISTS],
]

const places: string[] = []
afterAll(() => {
  for (const place of places) rmSync(place, { recursive: true, force: true })
})

describe.each(BACKENDS)('%s', { timeout: 600_000 }, (name, isHere, open, deviations) => {
  describe.skipIf(!isHere)('over files', () => {
    describeMemoryBackend(name, {
      deviations,
      open: async (notes) => {
        const root = mkdtempSync(join(tmpdir(), 'mnemark-backend-'))
        places.push(root)
        const workspace = join(root, 'notes')
        const write = (path: string, text: string): void => {
          mkdirSync(dirname(join(workspace, path)), { recursive: true })
          writeFileSync(join(workspace, path), text)
        }
        for (const [path, text] of Object.entries(notes)) write(path, text)
        return { backend: await open({ root, workspace }), write, remove: (path) => rmSync(join(workspace, path)) }
      },
    })
  })
})
