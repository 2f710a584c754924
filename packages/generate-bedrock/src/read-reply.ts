import type { FinishReason } from '@mnemark/spec'
import { failureError, fieldsOf, isFields, type RawGenerateReply } from '@mnemark/provider-kit'

/** 2026-11: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html, without the words for malformed output. */
const REASONS: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['guardrail_intervened', 'filtered'],
  ['content_filtered', 'filtered'],
])

/** Reads an answer of Converse. If the model called the one tool, its input is the answer. */
export function readReply(text: string): RawGenerateReply {
  const { output, stopReason, usage } = parsed(text)
  const { content } = fieldsOf(fieldsOf(output)['message'])
  if (!Array.isArray(content)) throw failureError({ code: 'bad-response', summary: 'the answer has no list named content' })
  const { inputTokens, outputTokens } = fieldsOf(usage)
  return { text: answerOf(content.map(fieldsOf)), finishReason: REASONS.get(stopReason), inputTokens, outputTokens }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    throw failureError({ code: 'bad-response', summary: 'the answer is not JSON' })
  }
}

/** Leaves thoughts out, and text beside a call, because a model may say something before it calls. null if there is neither. */
function answerOf(blocks: readonly Readonly<Record<string, unknown>>[]): string | null {
  const call = blocks.map(({ toolUse }) => toolUse).find(isFields)
  if (call !== undefined) return JSON.stringify(call['input'] ?? null)
  const texts = blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
  return texts.length === 0 ? null : texts.join('')
}
