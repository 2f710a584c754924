import type { ChatCompletionRequest } from '@mistralai/mistralai/models/components/chatcompletionrequest.js'
import type { MistralClient } from './client.ts'

/** One request through the SDK. Returns the answer as the SDK read it, or the raw answer where it lacks what only the SDK needs. */
export async function completeChat(
  { core, options }: MistralClient,
  request: ChatCompletionRequest,
  signal: AbortSignal,
): Promise<unknown> {
  const [{ chatComplete }, { ResponseValidationError }] = await Promise.all([
    import('@mistralai/mistralai/funcs/chatComplete.js'),
    import('@mistralai/mistralai/models/errors/responsevalidationerror.js'),
  ])
  const result = await chatComplete(core, request, options(signal))
  if (result.ok) return result.value
  if (result.error instanceof ResponseValidationError) return result.error.rawValue
  throw result.error
}
