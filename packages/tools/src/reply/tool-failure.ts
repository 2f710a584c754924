import { maskMessage } from '@mnemark/masking'
import { BackendError, ConfigError, ProviderError, StoreError, WorkspaceError } from '@mnemark/spec'
import { harmlessName } from './data-envelope.ts'
import type { Caller, ToolFailure, ToolHost } from '../host/host.ts'
import { ToolError } from '../host/tool-error.ts'

const WORKSPACE_NEXT: Readonly<Record<WorkspaceError['code'], string>> = {
  refused: 'Use a path as memory_search shows it.',
  conflict: 'Read the note again with memory_get, then try once more.',
  unreadable: 'Try once more; if it fails again, use another note.',
}
const UNAVAILABLE = 'Try once more; if it fails again, answer without the memory and say so.'

/**
 * Explains any thrown value, without text that looks like a secret. An error that is not ours is named by its code alone, since
 * its message may hold a path of the system. The host explains its own errors and decides what the caller may see.
 */
export function toToolFailure(error: unknown, host: Pick<ToolHost, 'explain' | 'redact'>, caller: Caller): ToolFailure {
  const { code, message, next } = describe(error, host.explain?.bind(host))
  const told = (words: string): string => host.redact?.(words, caller) ?? words
  // Messages may hold names of notes.
  return { code, message: harmlessName(maskMessage(told(message))), next: told(next) }
}

function describe(error: unknown, explain: ToolHost['explain']): ToolFailure {
  if (ToolError.isInstance(error)) return { code: error.code, message: error.message, next: error.next }
  if (WorkspaceError.isInstance(error)) return { code: error.code, message: error.message, next: WORKSPACE_NEXT[error.code] }
  if (BackendError.isInstance(error) && error.code === 'denied') {
    return { code: error.code, message: error.message, next: 'Do not try again: answer without the memory.' }
  }
  if (ConfigError.isInstance(error))
    return { code: error.code, message: error.message, next: 'Correct the value and call again.' }
  const explained = explain?.(error)
  if (explained !== undefined) return explained
  if (StoreError.isInstance(error) || ProviderError.isInstance(error) || BackendError.isInstance(error))
    return { code: error.code, message: error.message, next: UNAVAILABLE }
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unexpected'
  return { code, message: `An unexpected failure (${code}).`, next: UNAVAILABLE }
}
