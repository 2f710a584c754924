import type { FinishReason } from '@mnemark/spec'
import { failureError, fieldsOf, type RawGenerateReply } from '@mnemark/provider-kit'

/** Words of 2026-11. The others, `load` and `unload`, answer requests without a message. */
const REASONS: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['stop', 'stop'],
  ['length', 'length'],
])

/** Reads an answer of `/api/chat`, which the SDK does not check. `message.thinking` is no part of it. */
export function readReply(reply: unknown, contextSize: number | undefined): RawGenerateReply {
  const { message, done_reason: word, prompt_eval_count: inputTokens, eval_count: outputTokens } = fieldsOf(reply)
  if (contextSize !== undefined && isCut(contextSize, inputTokens, outputTokens))
    throw failureError({
      code: 'input-too-long',
      summary: 'prompt and answer are longer than the context, and the server cut the prompt',
      nextStep: 'Send a shorter prompt, raise contextSize, or update Ollama.',
    })
  return { text: fieldsOf(message)['content'], finishReason: REASONS.get(word), inputTokens, outputTokens }
}

/** Servers before 0.12.6 know neither `truncate` nor `shift` and cut without a word; their counts show it. */
function isCut(contextSize: number, inputTokens: unknown, outputTokens: unknown): boolean {
  if (typeof inputTokens !== 'number') return false
  return inputTokens >= contextSize || inputTokens + Number(outputTokens ?? 0) > contextSize
}
