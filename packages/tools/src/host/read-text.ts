import type { CallerContext, CallOptions, MemoryBackend } from '@mnemark/spec'
import { WorkspaceError } from '@mnemark/spec'
import type { ReadLines } from '@mnemark/masking'

export interface ReadCall extends CallOptions {
  readonly caller: CallerContext
}

/** Reads lines of `memory` in the form masking needs. */
export function linesOf(memory: Pick<MemoryBackend, 'read'>, call: ReadCall): ReadLines {
  return (lines) => readText(memory, lines, call)
}

/** Null if the lines cannot be read now: the note was replaced or is gone. */
async function readText(
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
