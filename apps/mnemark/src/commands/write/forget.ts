import type { Lease, MemoryStore, StoredChunk } from '@mnemark/spec'
import { spelledName } from '@mnemark/workspace'
import type { Invocation } from '../../command.ts'
import type { Settings } from '../../config/load-settings.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { findTraces, traceFiles } from '../../state/find-traces.ts'
import type { Traces } from '../../state/find-traces.ts'
import { ForgottenNotes } from '../../state/forgotten-notes.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { moveToTrash } from '../../state/move-to-trash.ts'
import { openMemory } from '../../memory/open/open-memory.ts'
import type { OpenMemory } from '../../memory/open/open-memory.ts'
import { removeCopies } from '../../state/remove-copies.ts'
import { prepareState } from '../../state/workspace-state.ts'
import type { Console } from '../../terminal/console.ts'
import { isolate, printableName } from '../../terminal/isolate.ts'
import { nearText } from '../../printing/near-text.ts'
import { withProgress } from '../../terminal/progress.ts'
import { commandSettings } from '../command-settings.ts'
import { nearNotes } from '../../memory/open/near-notes.ts'

/** The document of `forget --json`. */
interface ForgetReport {
  readonly path: string
  readonly removed: { readonly documents: number; readonly chunks: number; readonly vectors: number; readonly copies: number }
  /** `kept`: stays in place, out of the index · `moved`: in the trash of the workspace · `absent`: there was none. */
  readonly file: 'kept' | 'moved' | 'absent'
  readonly movedTo?: string
  readonly traces: Traces
}

/** Removes a note and everything derived from it from the index, and keeps it out. With --delete its file goes too. */
export async function forget(invocation: Invocation): Promise<ExitCode> {
  const { words, options, console } = invocation
  const settings = await commandSettings(invocation)
  requireMemory(settings)
  const open = await openMemory(settings, { isErasing: true, vectors: 'none', isBuiltInOnly: true })
  try {
    const path = notePath(words[0] ?? '')
    if (options.has('undo')) return await remember(open, { settings, path, console })
    const report = await forgetNote(open, { settings, path, isDeleting: options.has('delete'), console })
    if (report === null) {
      const near = await nearNotes(open.notes, path)
      const removed = { documents: 0, chunks: 0, vectors: 0, copies: 0 }
      console.document({ path, removed, file: 'absent', traces: null, ...(near.length === 0 ? {} : { near }) })
      const places = 'neither in the index nor in the workspace'
      console.note(`mnemark: there is no note ${printableName(path)}, ${places}.${nearText(near)}`)
      return EXIT.nothing
    }
    console.document(report)
    print(console, report)
    return EXIT.done
  } finally {
    await open.close()
  }
}

/** The path search shows, or a citation of it. */
function notePath(text: string): string {
  return spelledName(text.replace(/#L\d+(?:-L\d+)?$/, '').replace(/^\.\//, ''))
}

async function remember(
  open: OpenMemory,
  { settings, path, console }: Pick<Forgetting, 'settings' | 'path' | 'console'>,
): Promise<ExitCode> {
  const wasForgotten = new ForgottenNotes(() => prepareState(settings), settings.agentId, open.indexFile).remove(path)
  if (wasForgotten) await open.memory.sync({ reason: 'manual' })
  console.document({ path, wasForgotten })
  console.print(
    wasForgotten ? `${isolate(printableName(path))} is indexed again` : `${isolate(printableName(path))} was not forgotten`,
  )
  return wasForgotten ? EXIT.done : EXIT.nothing
}

interface Forgetting {
  readonly settings: Settings
  readonly path: string
  readonly isDeleting: boolean
  readonly console: Console
}

async function forgetNote(open: OpenMemory, { settings, path, isDeleting, console }: Forgetting): Promise<ForgetReport | null> {
  // The forgotten text must be the file's current text.
  await open.memory.sync({ reason: 'manual' })
  const isThere = await isListed(open, path)
  const found = await look(open, path)
  const state = prepareState(settings)
  const forgotten = new ForgottenNotes(() => state, settings.agentId, open.indexFile)
  if (!isThere && found.documents === 0) return null
  // Before the file itself is moved there.
  const copies = removeCopies(state, path)
  const movedTo = isThere && isDeleting ? moveToTrash(settings.workspace, path, { state, nowMs: Date.now() }) : undefined
  if (isThere && !isDeleting) forgotten.add(path)
  else forgotten.remove(path)
  // Rewrites every segment: until then the old ones hold the words of the note.
  await withProgress(console, (onProgress) => open.memory.sync({ reason: 'manual', force: true, onProgress }))
  const vectors = await eraseVectors(open, found.chunks)
  return {
    path,
    removed: {
      documents: found.documents,
      chunks: found.chunks.filter(({ inputs }) => inputs.length > 0).length,
      vectors,
      copies,
    },
    file: movedTo !== undefined ? 'moved' : isThere ? 'kept' : 'absent',
    ...(movedTo !== undefined && { movedTo }),
    traces: { ...found.traces, files: open.indexFile === null ? [] : traceFiles(open.indexFile) },
  }
}

async function isListed({ notes }: OpenMemory, path: string): Promise<boolean> {
  for await (const item of notes.source.list()) if (item.path === path) return true
  return false
}

interface FoundNote {
  readonly documents: number
  readonly chunks: readonly StoredChunk[]
  readonly traces: Omit<Traces, 'files'>
}

async function look({ store, notes }: OpenMemory, path: string): Promise<FoundNote> {
  const id = { source: notes.source.id, path }
  const snapshot = await store.snapshot()
  try {
    const documents = (await snapshot.documentsOf([id])).length
    const chunks = await snapshot.chunksOf(id)
    return { documents, chunks, traces: await findTraces(snapshot, { path, chunks }) }
  } finally {
    snapshot.release()
  }
}

const LEASE_WAIT_MS = 30_000

async function eraseVectors({ store }: OpenMemory, chunks: readonly StoredChunk[]): Promise<number> {
  const lease = await store.acquireLease('write', { signal: AbortSignal.timeout(LEASE_WAIT_MS) })
  if (lease === null) {
    throw new CommandError('busy', 'another process keeps the index: vectors of the note were not removed yet', {
      exitCode: EXIT.unavailable,
      next: 'Run mnemark forget again when it is done.',
    })
  }
  try {
    const inputs = chunks.flatMap((chunk) => chunk.inputs)
    if (!('eraseInputs' in store)) return await eraseUnreferenced(store, lease, inputs)
    const { vectors } = await store.eraseInputs(lease, inputs)
    // Frees the pages and empties the journal, which still holds the text.
    await store.maintain(lease, { maxUnreferencedVectors: Number.MAX_SAFE_INTEGER })
    return vectors
  } finally {
    await lease.release()
  }
}

/** A store of another kind removes all unreferenced vectors, or none. */
async function eraseUnreferenced(store: MemoryStore, lease: Lease, inputs: readonly string[]): Promise<number> {
  const before = await countVectors(store, inputs)
  await store.maintain(lease, { maxUnreferencedVectors: 0 })
  return before - (await countVectors(store, inputs))
}

async function countVectors(store: MemoryStore, inputs: readonly string[]): Promise<number> {
  const snapshot = await store.snapshot()
  try {
    const spaces = await snapshot.spaces()
    const found = await Promise.all(spaces.map(({ fingerprint }) => snapshot.vectors(fingerprint, inputs)))
    return found.reduce((sum, { size }) => sum + size, 0)
  } finally {
    snapshot.release()
  }
}

function print(console: Console, { path, removed, file, movedTo, traces }: ForgetReport): void {
  const show = (text: string): string => isolate(printableName(text))
  console.print(`forgotten ${show(path)}: ${removed.chunks} chunks and ${removed.vectors} vectors removed from the index`)
  if (removed.copies > 0) console.print(`${removed.copies} kept versions and copies in the trash were removed`)
  if (file === 'kept') console.print('the file stays; it is kept out of the index until mnemark forget --undo')
  if (movedTo !== undefined) console.print(`the file was moved to ${show(movedTo)}; remove it there when you are sure`)
  for (const other of traces.sameText) console.print(`the same text stands in ${show(other)}`)
  for (const other of traces.mentions) console.print(`it is named in ${show(other)}`)
  for (const other of traces.files) console.print(`may hold its text, and is not looked into: ${show(other)}`)
  console.print('not traced: rewordings in other notes, backups, version control, sync services')
}
