import type { ServiceFailure } from '@mnemark/provider-kit'

/** Messages of Ollama and llama.cpp for an input beyond the context or the batch, 2023 to 2026-11. */
const TOO_LONG = /input (?:length )?(?:exceeds|is too (?:large|long))/i
/** Go cannot write NaN as JSON; some texts make some models produce it (ollama/ollama#14657). */
const NOT_A_NUMBER = /unsupported value: (?:NaN|[+-]?Inf)/i
const NO_EMBEDDER = /does not support embedding/i

/**
 * Refines a refusal of Ollama. Its body is only `{error: text}`, so where the status is not enough the text decides; an unknown
 * text leaves the status as it is.
 */
export function refineFailure(failure: ServiceFailure, model: string): ServiceFailure {
  const text = errorText(failure.body)
  if (text === undefined) return failure
  if (failure.status === 404) return { ...failure, nextStep: `Fetch the model: ollama pull ${model}` }
  if (TOO_LONG.test(text)) return { ...failure, code: 'input-too-long', nextStep: 'Send shorter inputs, or raise contextSize.' }
  if (NOT_A_NUMBER.test(text))
    return {
      ...failure,
      code: 'invalid-input',
      summary: 'the model made numbers of an input that are none (NaN)',
      nextStep: 'Leave that text out, or choose another model.',
    }
  return NO_EMBEDDER.test(text)
    ? { ...failure, code: 'config', nextStep: 'Choose an embedding model, such as nomic-embed-text.' }
    : failure
}

function errorText(body: unknown): string | undefined {
  const text: unknown = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
  return typeof text === 'string' ? text : undefined
}
