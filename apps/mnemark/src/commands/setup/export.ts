import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { DocumentId, MemoryStore, StoreSnapshot } from '@mnemark/spec'
import type { Invocation } from '../../command.ts'
import { cannotWrite, requirePlaceToWrite } from '../../command-line/place-to-write.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { settleFirstIndex } from '../../memory/index/first-index.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { openMemory } from '../../memory/open/open-memory.ts'
import { stoppableSync } from '../../memory/fresh/stoppable-sync.ts'
import { commandSettings } from '../command-settings.ts'

interface Counts {
  documents: number
  chunks: number
}

/** Writes everything indexed as JSON Lines, each document followed by its chunks, in the order of their paths. */
export async function exportNotes(invocation: Invocation): Promise<ExitCode> {
  const { options, console, currentFolder } = invocation
  const out = options.get('out')
  const file = out === undefined ? null : resolve(currentFolder, out)
  if (file !== null) requirePlaceToWrite(file)
  const settings = await commandSettings(invocation)
  requireMemory(settings)
  await settleFirstIndex(settings, { console, isAgreed: options.has('yes') })
  const open = await openMemory(settings, { vectors: 'none', isBuiltInOnly: true })
  try {
    await stoppableSync({ open, settings, console }, { reason: 'manual' })
    for (const { message } of open.takeRepairs()) console.note(`mnemark: ${message}`)
    const counts: Counts = { documents: 0, chunks: 0 }
    const lines = linesOf(open.store, counts)
    if (file === null) {
      await console.stream(lines)
    } else {
      await writeWhole(file, lines)
      console.document({ file, ...counts })
      console.print(`${counts.documents} documents, ${counts.chunks} chunks: ${file}`)
    }
    return EXIT.done
  } finally {
    await open.close()
  }
}

/** Writes beside the file first, so that a reader never sees half a file. */
async function writeWhole(file: string, lines: AsyncIterable<string>): Promise<void> {
  const temporary = `${file}.${process.pid}.part`
  try {
    await pipeline(Readable.from(lines), createWriteStream(temporary, { mode: 0o600 }))
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw isSystemError(error) ? cannotWrite(file, error) : error
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

async function* linesOf(store: MemoryStore, counts: Counts): AsyncGenerator<string> {
  const snapshot = await store.snapshot()
  try {
    for (const id of await sortedIds(snapshot)) {
      yield* documentLines(snapshot, id, counts)
    }
  } finally {
    snapshot.release()
  }
}

/** Only the ids of all documents are in memory at once. */
async function sortedIds(snapshot: StoreSnapshot): Promise<readonly DocumentId[]> {
  const ids: DocumentId[] = []
  for await (const { source, path, part } of snapshot.documents()) ids.push({ source, path, ...(part !== undefined && { part }) })
  const compare = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right))
  return ids.sort(
    (left, right) =>
      compare(left.source, right.source) || compare(left.path, right.path) || (left.part ?? -1) - (right.part ?? -1),
  )
}

async function* documentLines(snapshot: StoreSnapshot, id: DocumentId, counts: Counts): AsyncGenerator<string> {
  const [document] = await snapshot.documentsOf([id])
  if (!document) return
  counts.documents++
  // The same notes give the same lines on every machine: no inode, no file time, no row id.
  const { inode: _inode, modifiedAtMs: _modified, ...rest } = document
  yield `${JSON.stringify({ type: 'document', ...rest })}\n`
  for (const { id: _id, document: _document, ...chunk } of await snapshot.chunksOf(id)) {
    counts.chunks++
    yield `${JSON.stringify({ type: 'chunk', ...id, ...chunk })}\n`
  }
}
