import type { EmbeddingRequest } from '@mistralai/mistralai/models/components/embeddingrequest.js'
import type { MistralClient } from './client.ts'

/**
 * One request through the SDK. Returns the answer as the SDK read it or, if it lacks members that only the SDK needs, as it came.
 */
export async function createEmbeddings(
  { core, options }: MistralClient,
  request: EmbeddingRequest,
  signal: AbortSignal,
): Promise<unknown> {
  const [{ embeddingsCreate }, { ResponseValidationError }] = await Promise.all([
    import('@mistralai/mistralai/funcs/embeddingsCreate.js'),
    import('@mistralai/mistralai/models/errors/responsevalidationerror.js'),
  ])
  const result = await embeddingsCreate(core, request, options(signal))
  if (result.ok) return result.value
  if (result.error instanceof ResponseValidationError) return result.error.rawValue
  throw result.error
}
