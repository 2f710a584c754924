import type { FinishReason } from '@mnemark/spec'
import { failureError, fieldsOf, type RawGenerateReply } from '@mnemark/provider-kit'

/** Words of 2026-11. `tool_calls` has no place here, because no tools are offered. */
const REASONS: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['model_length', 'length'],
])

/** Reads an answer in the SDK's names, or in those of the service where the SDK did not accept it. */
export function readReply(reply: unknown): RawGenerateReply {
  const { choices, usage } = fieldsOf(reply)
  if (!Array.isArray(choices) || choices.length === 0)
    throw failureError({ code: 'bad-response', summary: 'the answer has no list named choices' })
  const choice = fieldsOf(choices[0])
  const word = choice['finishReason'] ?? choice['finish_reason']
  if (word === 'error') throw failureError({ code: 'unavailable', summary: 'the model stopped because of an error' })
  const tokens = fieldsOf(usage)
  return {
    text: textOf(fieldsOf(choice['message'])['content']),
    finishReason: REASONS.get(word),
    inputTokens: tokens['promptTokens'] ?? tokens['prompt_tokens'],
    outputTokens: tokens['completionTokens'] ?? tokens['completion_tokens'],
  }
}

/** Models that reason answer in pieces; only those of text are the answer. */
function textOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  return content
    .map(fieldsOf)
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('')
}
