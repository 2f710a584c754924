import { fieldsOf, type ServiceFailure } from '@mnemark/provider-kit'

/** Ollama's words for a prompt beyond the context, and llama-server's type of error, which Ollama passes on as text since 0.34; 2026-11. */
const TOO_LONG = /input length exceeds|exceed_context_size_error/i
const CANNOT = /does not support (?:chat|generate|thinking)/i

/**
 * Refines a refusal of Ollama. Its body is only `{error: text}`, so where the status is not enough the text decides; an unknown
 * text leaves the status as it is.
 */
export function refineFailure(failure: ServiceFailure, model: string): ServiceFailure {
  const { error: text } = fieldsOf(failure.body)
  if (typeof text !== 'string') return failure
  if (failure.status === 404) return { ...failure, nextStep: `Fetch the model: ollama pull ${model}` }
  if (TOO_LONG.test(text)) return { ...failure, code: 'input-too-long', nextStep: 'Send a shorter prompt, or raise contextSize.' }
  return CANNOT.test(text)
    ? { ...failure, code: 'config', nextStep: 'Choose a chat model; for one that cannot think, leave think out.' }
    : failure
}
