import { fieldsOf, type ServiceFailure } from '@mnemark/provider-kit'

/** Mistral's words for a prompt beyond the context, 2024 to 2026-11; its code, 3051, also stands for tasks a model cannot do. */
const TOO_LONG = /^Prompt contains \d+ tokens.*too large for model/

/** Refines Mistral's status: an unknown model is a 400, and only the message shows that a prompt is too long. */
export function refineFailure(failure: ServiceFailure): ServiceFailure {
  const { type, message } = failure.status === 400 ? fieldsOf(failure.body) : {}
  if (type === 'invalid_model') return { ...failure, code: 'not-found' }
  return typeof message === 'string' && TOO_LONG.test(message) ? { ...failure, code: 'input-too-long' } : failure
}
