import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Setup } from './memory-under-test.ts'
import { CHUNKS_PER_NOTE, NoteMaker } from './notes/note-maker.ts'
import type { Script } from './notes/word-model.ts'

/** From here on files would take longer to write and list than everything that is measured: the notes are made when read. */
const VIRTUAL_FROM_CHUNKS = 500_000
const SEED = 20_261_101

export interface MadeWorkspace {
  readonly setup: Setup
  /** UTF-8 bytes of all notes; an estimate where they are no files. */
  readonly textBytes: number
  /** An empty folder beside the workspace: home, caches, other programs' indexes. */
  readonly scratch: string
  remove(): void
}

/** Returns the bytes written. */
function writeNotes(maker: NoteMaker, noteCount: number, folder: string): number {
  let bytes = 0
  for (let number = 0; number < noteCount; number += 1) {
    const { path, text } = maker.note(number)
    bytes += Buffer.byteLength(text)
    writeFileSync(join(folder, path), text)
  }
  return bytes
}

/** From every hundredth note: notes are much of a size. */
function estimateBytes(maker: NoteMaker, noteCount: number): number {
  let [bytes, counted] = [0, 0]
  for (let number = 0; number < noteCount; number += 100) {
    bytes += Buffer.byteLength(maker.note(number).text)
    counted += 1
  }
  return Math.round((bytes / counted) * noteCount)
}

/** Makes about `chunkCount` chunks of notes in a temporary folder. */
export function makeWorkspace(script: Script, chunkCount: number): MadeWorkspace {
  const root = mkdtempSync(join(tmpdir(), 'mnemark-speed-'))
  const [folder, scratch] = [join(root, 'workspace'), join(root, 'scratch')]
  const noteCount = Math.max(1, Math.round(chunkCount / CHUNKS_PER_NOTE[script]))
  const isVirtual = chunkCount >= VIRTUAL_FROM_CHUNKS
  for (const each of [join(folder, 'memory', 'topics'), join(folder, '.mnemark'), scratch]) mkdirSync(each, { recursive: true })
  const maker = new NoteMaker(script, SEED)
  const textBytes = isVirtual ? estimateBytes(maker, noteCount) : writeNotes(maker, noteCount, folder)
  return {
    setup: { folder, script, seed: SEED, noteCount, isVirtual },
    textBytes,
    scratch,
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** An environment in which neither the user's settings nor caches of other programs are met. */
export function ownHome(scratch: string): Readonly<Record<string, string>> {
  return {
    HOME: scratch,
    XDG_CONFIG_HOME: join(scratch, 'config'),
    XDG_CACHE_HOME: join(scratch, 'cache'),
    XDG_DATA_HOME: join(scratch, 'data'),
    XDG_STATE_HOME: join(scratch, 'state'),
    NODE_COMPILE_CACHE: join(scratch, 'compile-cache'),
  }
}
