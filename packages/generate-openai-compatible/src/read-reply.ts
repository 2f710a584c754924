import type { FinishReason } from '@mnemark/spec'
import { failureError, fieldsOf, type RawGenerateReply } from '@mnemark/provider-kit'

/** 2026-11: https://platform.openai.com/docs/api-reference/chat/object. `eos_token` is what older inference servers say for `stop`. */
const REASONS: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['stop', 'stop'],
  ['eos_token', 'stop'],
  ['length', 'length'],
  ['content_filter', 'filtered'],
])

/** Reads an answer of chat completions, which the SDK does not check. Throws the failure if there is an `error` in its place. */
export function readReply(reply: unknown): RawGenerateReply {
  const { choices, usage, error } = fieldsOf(reply)
  if (!Array.isArray(choices) || choices.length === 0) throw failureError(failureWithin(error))
  const { message, finish_reason: word } = fieldsOf(choices[0])
  const { content, refusal } = fieldsOf(message)
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = fieldsOf(usage)
  // Some servers send an empty refusal beside every answer.
  const isRefused = typeof refusal === 'string' && (refusal !== '' || typeof content !== 'string')
  return isRefused
    ? { text: refusal, finishReason: 'refused', inputTokens, outputTokens }
    : { text: content, finishReason: REASONS.get(word), inputTokens, outputTokens }
}

/** Gateways (OpenRouter, 2026-11) answer 200 and say inside that the service behind them failed, with its status as the code. */
function failureWithin(error: unknown): Parameters<typeof failureError>[0] {
  const { code } = fieldsOf(error)
  const isStatus = typeof code === 'number' && code >= 400 && code < 600
  if (isStatus) return { status: code, body: { error } }
  return { code: 'bad-response', summary: 'the answer has no list named choices', body: { error } }
}
