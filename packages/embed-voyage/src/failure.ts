import type { ServiceFailure } from '@mnemark/provider-kit'

/** Voyage's words, 2024 to 2026-11. Of too many tokens in all, and of single texts: "The example at index 3 in your batch …". */
const REQUEST_TOO_LONG = /max allowed tokens per submitted batch/i
const INPUT_TOO_LONG = /examples? at ind(?:ex|exes|ices) (?<positions>\d[\d, and]*) in your batch ha(?:s|ve) too many tokens/i
const UNKNOWN_MODEL = /^Model \S+ is not supported/i

/**
 * Refines a refusal of Voyage. Every 400 has only the body `{detail: text}`, so the text decides; an unknown text leaves the
 * status as it is.
 */
export function refineFailure(failure: ServiceFailure): ServiceFailure {
  const text = failure.status === 400 ? detailText(failure.body) : undefined
  if (text === undefined) return failure
  if (REQUEST_TOO_LONG.test(text)) return { ...failure, code: 'input-too-long' }
  if (UNKNOWN_MODEL.test(text)) return { ...failure, code: 'not-found' }
  const positions = INPUT_TOO_LONG.exec(text)?.groups?.['positions']
  if (positions === undefined) return failure
  return { ...failure, code: 'input-too-long', inputIndexes: (positions.match(/\d+/g) ?? []).map(Number) }
}

function detailText(body: unknown): string | undefined {
  const text: unknown = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : undefined
  return typeof text === 'string' ? text : undefined
}
