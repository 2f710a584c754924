import type { ToolFailure } from '@mnemark/tools'
import { BackendError, ProviderError, StoreError } from '@mnemark/spec'
import { CommandError, toFailure } from '../failure.ts'

/** Explains failures for which this program has its own next step. */
export function explainCommand(error: unknown): ToolFailure | undefined {
  const isKnown =
    error instanceof CommandError ||
    StoreError.isInstance(error) ||
    ProviderError.isInstance(error) ||
    BackendError.isInstance(error)
  const { code, message, next } = toFailure(error)
  return { code, message: isKnown ? message : `An unexpected failure (${code}).`, next }
}
