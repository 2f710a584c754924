import type { ServiceFailure } from '@mnemark/provider-kit'

/** LM Studio's words, 0.3 to 0.4 (2024 to 2026-11). */
const NONE_LOADED = /no models? loaded/i
const PUT_AWAY = /model (?:is|was|has been|has) (?:unloaded|ejected|evicted|crashed)|unloaded or crashed/i
const NO_ROOM = /insufficient system resources|out of memory/i
const NO_EMBEDDER = /is not (?:an )?embedding/i
const TOO_LONG = /context (?:length|size|window)|too many tokens|input is too (?:long|large)/i

/**
 * Refines a refusal of LM Studio. Statuses and codes differ by version and say little (a model that is not loaded is 400 or 404),
 * so the message decides; an unknown message changes nothing.
 */
export function refineFailure(failure: ServiceFailure, model: string): ServiceFailure {
  const text = errorText(failure.body)
  if (NONE_LOADED.test(text))
    return {
      ...failure,
      code: 'not-found',
      summary: 'no embedding model is loaded',
      nextStep: `Load it: lms load ${model}; or switch on just-in-time loading in the server's settings. A model that the app takes for a language model cannot embed.`,
    }
  if (PUT_AWAY.test(text))
    return {
      ...failure,
      code: 'unavailable',
      summary: 'the model left memory',
      nextStep: 'Try again; the next request loads it.',
    }
  if (NO_ROOM.test(text))
    return {
      ...failure,
      code: 'unavailable',
      summary: 'there is not enough memory to load the model',
      nextStep: 'Unload other models (lms unload), or choose a smaller one.',
    }
  if (NO_EMBEDDER.test(text))
    return { ...failure, code: 'config', nextStep: 'Choose a model that the app lists as an embedding model (lms ls).' }
  if (TOO_LONG.test(text))
    return { ...failure, code: 'input-too-long', nextStep: 'Send shorter inputs, or load the model with a longer context.' }
  return codesOf(failure.body).includes('model_not_found') || failure.status === 404
    ? { ...failure, code: 'not-found', nextStep: `Compare with the list of models (lms ls); fetch it: lms get ${model}` }
    : failure
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

const errorOf = (body: unknown): unknown => (isRecord(body) ? body['error'] : undefined)

function errorText(body: unknown): string {
  const error = errorOf(body)
  const text = isRecord(error) ? error['message'] : error
  return typeof text === 'string' ? text : ''
}

function codesOf(body: unknown): readonly unknown[] {
  const error = errorOf(body)
  return isRecord(error) ? [error['code']] : []
}
