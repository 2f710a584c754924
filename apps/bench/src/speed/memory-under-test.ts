import { createMemory } from '@mnemark/core'
import type { DocumentSource, MemoryBackend } from '@mnemark/spec'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { openWorkspace } from '@mnemark/workspace'
import { join } from 'node:path'
import { NoteMaker } from './notes/note-maker.ts'
import type { Script } from './notes/word-model.ts'

/** A made-up workspace on disk, or with `isVirtual` one whose notes are made when they are read. */
export interface Setup {
  readonly folder: string
  readonly script: Script
  readonly seed: number
  readonly noteCount: number
  readonly isVirtual: boolean
}

/** Where the command line keeps the index too, so that both meet the same one. */
export function indexFileOf({ folder }: Setup): string {
  return join(folder, '.mnemark', 'main.sqlite')
}

/** Notes that are made when they are read: for sizes where the files alone would take longer than the measurement. */
function virtualSource({ script, seed, noteCount }: Setup): DocumentSource {
  const maker = new NoteMaker(script, seed)
  return {
    id: 'memory',
    async *list() {
      for (let number = 0; number < noteCount; number += 1) {
        yield { source: 'memory', path: `${number}.md`, size: number, modifiedAtMs: 0 }
      }
    },
    read: async ({ path }) => ({ text: maker.note(Number.parseInt(path, 10)).text }),
  }
}

/** The product as the command line puts it together: real files, real store, default settings. */
export async function openMemoryUnderTest(setup: Setup, now?: () => number): Promise<MemoryBackend> {
  const [store, workspace] = await Promise.all([
    openSqliteStore({ path: indexFileOf(setup) }),
    openWorkspace({ root: setup.folder }),
  ])
  return createMemory({
    store,
    sources: [setup.isVirtual ? virtualSource(setup) : workspace.source],
    reader: workspace.reader,
    ...(now && { now }),
  })
}
