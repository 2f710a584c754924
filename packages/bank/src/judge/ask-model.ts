import { type GenerateReply, type GenerateRequest, type JsonSchema, ProviderError } from '@mnemark/spec'

/** The answer of a chat model and its name, for the journal. */
export interface ModelAnswer extends GenerateReply {
  readonly model: string
}

/** Asks a chat model once; retries, price and consent are the caller's. Rejects with ProviderError. */
export type AskModel = (request: GenerateRequest) => Promise<ModelAnswer>

/**
 * Why an answer was not used: `unavailable` no model answered, `truncated` it ended at its limit, `refused` the model or the service held it
 * back, `too-long`, `no-json`, `wrong-form` another form than was asked for, `unknown-id` it names something that it was not shown.
 */
export type RefusalReason = 'unavailable' | 'truncated' | 'refused' | 'too-long' | 'no-json' | 'wrong-form' | 'unknown-id'

export interface ModelRefusal {
  readonly reason: RefusalReason
  /** For people; never holds text of a note or of the answer. */
  readonly message: string
}

export interface JsonRequest {
  readonly system: string
  /** Handed over as JSON, so that no text in it can end it and speak as somebody else. */
  readonly data: unknown
  readonly schema: JsonSchema
  readonly maxOutputTokens: number
  readonly signal?: AbortSignal | undefined
}

const LONGEST_ANSWER = 200_000

/** Asks for one JSON document; whatever is no whole answer of this form is a refusal, and nothing of it is used. */
export async function askForJson(
  ask: AskModel,
  { system, data, ...request }: JsonRequest,
): Promise<{ readonly value: unknown; readonly model: string } | { readonly refusal: ModelRefusal }> {
  const answer = await answerOf(ask, { system, prompt: JSON.stringify(data), ...request })
  if ('refusal' in answer) return answer
  const { text, finishReason, model } = answer
  if (finishReason === 'length') return refused('truncated', `the answer of ${model} was cut off at its limit`)
  if (finishReason !== 'stop') return refused('refused', `${model} declined to answer`)
  if (text.length > LONGEST_ANSWER) return refused('too-long', `the answer of ${model} has ${text.length} characters`)
  try {
    return { value: JSON.parse(text) as unknown, model }
  } catch {
    return refused('no-json', `the answer of ${model} is no JSON`)
  }
}

async function answerOf(ask: AskModel, request: GenerateRequest): Promise<ModelAnswer | { readonly refusal: ModelRefusal }> {
  try {
    return await ask(request)
  } catch (error) {
    request.signal?.throwIfAborted()
    if (!ProviderError.isInstance(error)) throw error
    return refused('unavailable', error.message)
  }
}

export function refused(reason: RefusalReason, message: string): { readonly refusal: ModelRefusal } {
  return { refusal: { reason, message } }
}
