import type { FinishReason } from '@mnemark/spec'
import { failureError, fieldsOf, isFields, type RawGenerateReply } from '@mnemark/provider-kit'

/** 2026-11: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html. What is malformed is nothing to rely on. */
const REASONS: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['guardrail_intervened', 'filtered'],
  ['content_filtered', 'filtered'],
])

/** What an answer of Converse says. The call of the one tool is the answer to a request with a schema. */
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

/** Without what the model thought. null where there is neither a call nor a text; a model may say something before it calls. */
function answerOf(blocks: readonly Readonly<Record<string, unknown>>[]): string | null {
  const call = blocks.map(({ toolUse }) => toolUse).find(isFields)
  if (call !== undefined) return JSON.stringify(call['input'] ?? null)
  const texts = blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
  return texts.length === 0 ? null : texts.join('')
}
