import { ProviderError } from '@mnemark/spec'

/** The words of services that refuse a request for its length. */
const WORDS =
  /context.?(?:length|window)|maximum (?:context|prompt|input)|(?:prompt|input|request|message) (?:is )?too (?:long|large)|too many (?:input )?tokens|exceeds? .{0,40}(?:tokens|context)/iu

/** Whether an error of a service says that the request was longer than the window: then compact and ask again. */
export function isContextOverflow(error: unknown): boolean {
  if (ProviderError.isInstance(error)) return error.code === 'input-too-long'
  if (!(error instanceof Error)) return false
  // Errors of the AI SDK and of most vendors' clients have a status under one of these names.
  const { statusCode, status, responseBody } = error as Error & { statusCode?: unknown; status?: unknown; responseBody?: unknown }
  const code = statusCode ?? status
  if (code === 413) return true
  return (
    (code === undefined || code === 400 || code === 422) &&
    WORDS.test(`${error.message} ${typeof responseBody === 'string' ? responseBody.slice(0, 2_000) : ''}`)
  )
}
