import { fieldsOf, type ServiceFailure } from '@mnemark/provider-kit'

/** Mistral's message for one text that is too long, 2024 to 2026-11; its code is that for too many tokens in all. */
const INPUT_TOO_LONG = /^Input id (?<position>\d+) has \d+ tokens, exceeding max/

/** Refines Mistral's status: an unknown model is a 400, and only the message names a text that is too long. */
export function refineFailure(failure: ServiceFailure): ServiceFailure {
  const { type, message } = failure.status === 400 ? fieldsOf(failure.body) : {}
  if (type === 'invalid_model') return { ...failure, code: 'not-found' }
  const position = typeof message === 'string' ? INPUT_TOO_LONG.exec(message)?.groups?.['position'] : undefined
  return position === undefined ? failure : { ...failure, code: 'input-too-long', inputIndexes: [Number(position)] }
}
