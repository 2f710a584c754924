import type { CallerContext, CallOptions, MemoryBackend } from '@mnemark/spec'
import { WorkspaceError } from '@mnemark/spec'
import { findSecrets } from './mask-text.ts'

/** Lines read above a text that begins inside a table: its header says which cells are secret. */
const TABLE_LINES = 200

export interface PlacedText {
  readonly path: string
  readonly startLine: number
  readonly text: string
}

export interface ReadCall extends CallOptions {
  readonly caller: CallerContext
}

/** The secrets of some lines of a note, those included that only the lines above show to be some. */
export async function secretsAround(
  memory: Pick<MemoryBackend, 'read'>,
  place: PlacedText,
  call: ReadCall,
): Promise<readonly string[]> {
  const { path, startLine, text } = place
  if (startLine <= 1 || !text.trimStart().startsWith('|')) return findSecrets(text)
  const from = Math.max(1, startLine - TABLE_LINES)
  const above = await readText(memory, { path, from, lines: startLine - from }, call)
  return findSecrets(`${above ?? ''}\n${text}`)
}

/** Null where the lines cannot be read just now: the note was replaced or is gone. */
export async function readText(
  memory: Pick<MemoryBackend, 'read'>,
  lines: { readonly path: string; readonly from: number; readonly lines: number },
  call: ReadCall,
): Promise<string | null> {
  try {
    const { status, text } = await memory.read({ ...lines, caller: call.caller, signal: call.signal })
    return status === 'ok' ? text : null
  } catch (error) {
    if (WorkspaceError.isInstance(error)) return null
    throw error
  }
}
