import type { FinishReason } from '@mnemark/spec'
import { failureError, type Fields, fieldsOf, type RawGenerateReply } from '@mnemark/provider-kit'

/**
 * 2026-11: https://ai.google.dev/api/generate-content#FinishReason. `OTHER` is left out, and so are the words about tools and images,
 * which are not requested: none of them tells whether the answer is whole.
 */
const REASONS: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'filtered'],
  ['RECITATION', 'filtered'],
  ['BLOCKLIST', 'filtered'],
  ['PROHIBITED_CONTENT', 'filtered'],
  ['SPII', 'filtered'],
  ['LANGUAGE', 'filtered'],
])

/** Reads an answer, which the SDK does not check. If the prompt was held back, the reason is in `promptFeedback`. */
export function readReply(reply: unknown): RawGenerateReply {
  const { candidates, promptFeedback, usageMetadata } = fieldsOf(reply)
  const usage = fieldsOf(usageMetadata)
  if (typeof fieldsOf(promptFeedback)['blockReason'] === 'string')
    return { text: null, finishReason: 'filtered', inputTokens: usage['promptTokenCount'], outputTokens: 0 }
  if (!Array.isArray(candidates) || candidates.length === 0)
    throw failureError({ code: 'bad-response', summary: 'the answer has no list named candidates' })
  const { content, finishReason } = fieldsOf(candidates[0])
  return {
    text: textOf(content),
    finishReason: REASONS.get(finishReason),
    inputTokens: usage['promptTokenCount'],
    outputTokens: outputTokens(usage),
  }
}

/** Joins the parts of the answer; thoughts are none. null if there is no part. */
function textOf(content: unknown): string | null {
  const { parts } = fieldsOf(content)
  const texts: readonly unknown[] = Array.isArray(parts)
    ? parts.map(fieldsOf).flatMap(({ text, thought }) => (thought === true || typeof text !== 'string' ? [] : [text]))
    : []
  return texts.length === 0 ? null : texts.join('')
}

/** Adds the thoughts, which are billed like the answer. If only one of the counts is given, the other is 0. */
function outputTokens({ candidatesTokenCount: said, thoughtsTokenCount: thought }: Fields): number | undefined {
  const counts = [said, thought].filter((count) => typeof count === 'number')
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0)
}
