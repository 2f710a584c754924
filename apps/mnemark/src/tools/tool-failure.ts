import { BackendError, ConfigError, ProviderError, StoreError, WorkspaceError } from '@mnemark/spec'
import { harmlessName } from './data-envelope.ts'
import { CommandError, toFailure } from '../failure.ts'
import { maskMessage } from '../masking/mask-text.ts'

/** A failed call in words an agent can act on. */
export interface ToolFailure {
  readonly code: string
  readonly message: string
  readonly next: string
}

const WORKSPACE_NEXT: Readonly<Record<WorkspaceError['code'], string>> = {
  refused: 'Use a path as memory_search shows it; write with real line breaks, to "daily", "memory" or a note.',
  conflict: 'Read the note again with memory_get, then try once more.',
  unreadable: 'Try once more; if it fails again, use another note.',
}

/** Any thrown value, without what looks like a secret; what is not ours is named by its code alone, since its message may hold a path of the system. */
export function toToolFailure(error: unknown): ToolFailure {
  const failure = describe(error)
  // Messages may hold names of notes.
  return { ...failure, message: harmlessName(maskMessage(failure.message)) }
}

function describe(error: unknown): ToolFailure {
  if (WorkspaceError.isInstance(error)) return { code: error.code, message: error.message, next: WORKSPACE_NEXT[error.code] }
  if (BackendError.isInstance(error) && error.code === 'denied') {
    return { code: error.code, message: error.message, next: 'Do not try again: answer without the memory.' }
  }
  if (ConfigError.isInstance(error))
    return { code: error.code, message: error.message, next: 'Correct the value and call again.' }
  const { code, message, next } = toFailure(error)
  const isOurs =
    error instanceof CommandError ||
    StoreError.isInstance(error) ||
    ProviderError.isInstance(error) ||
    BackendError.isInstance(error)
  return { code, message: isOurs ? message : `An unexpected failure (${code}).`, next }
}
