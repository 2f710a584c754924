import { fieldsOf, filledText, type ServiceFailure } from '@mnemark/provider-kit'

/** Voyage's words, 2024 to 2026-11: more tokens in all than a request takes, and a query or pair beyond the model. */
const TOO_LONG = /max allowed tokens per submitted batch|too many tokens|context length/i
const UNKNOWN_MODEL = /^Model \S+ is not supported/i

/** Refines a refusal of Voyage: every 400 has only the body `{detail: text}`, so the text decides; an unknown one leaves the status as it is. */
export function refineFailure(failure: ServiceFailure): ServiceFailure {
  const text = failure.status === 400 ? (filledText(fieldsOf(failure.body)['detail']) ?? '') : ''
  if (TOO_LONG.test(text)) return { ...failure, code: 'input-too-long' }
  return UNKNOWN_MODEL.test(text) ? { ...failure, code: 'not-found' } : failure
}
