import type { FinishReason } from '@mnemark/spec'
import { failureError, fieldsOf, type RawGenerateReply } from '@mnemark/provider-kit'
import type { AISDKLanguageCall } from './ai-sdk-model.ts'

/** Services' own words for an answer that the model declined: OpenAI's and Anthropic's, of 2026-11, and ours. */
const REFUSALS: readonly unknown[] = ['stop', 'refusal', 'refused']
const REASONS: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content-filter', 'filtered'],
])

/** Reads an answer of any specification. Throws if the model failed, or does not support a setting of the call. */
export function readReply(reply: unknown, call: AISDKLanguageCall): RawGenerateReply {
  const { content, structuredOutputText, finishReason, usage, warnings, response } = fieldsOf(reply)
  checkWarnings(warnings, call)
  if (!Array.isArray(content)) throw failureError({ code: 'bad-response', summary: 'the model answers without content' })
  const { inputTokens, outputTokens } = fieldsOf(usage)
  const counts = { inputTokens: totalOf(inputTokens), outputTokens: totalOf(outputTokens) }
  const refusal = refusalIn(response)
  if (refusal !== undefined) return { text: refusal, finishReason: 'refused', ...counts }
  const isStructured = call.responseFormat !== undefined && structuredOutputText !== undefined
  return { text: isStructured ? structuredOutputText : textOf(content), finishReason: reasonOf(finishReason), ...counts }
}

/** Models pass the service's reply on. Those for chat completions lose an empty refusal and, before v4, every refusal. */
function refusalIn(response: unknown): string | undefined {
  const { choices } = fieldsOf(fieldsOf(response)['body'])
  const { refusal, content } = fieldsOf(fieldsOf(Array.isArray(choices) ? choices[0] : undefined)['message'])
  const isRefused = typeof refusal === 'string' && (refusal !== '' || typeof content !== 'string')
  return isRefused ? refusal : undefined
}

/** Reasoning, files and sources are no part of the answer. */
const textOf = (content: readonly unknown[]): string =>
  content
    .map(fieldsOf)
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('')

function reasonOf(given: unknown): FinishReason | undefined {
  const { unified = given, raw } = fieldsOf(given)
  if (unified === 'error' || unified === 'interrupted')
    throw failureError({ code: 'unavailable', summary: 'the model stopped because of an error' })
  // The AI SDK has no word for a refusal, but passes the service's own on since v3.
  return unified === 'content-filter' && REFUSALS.includes(raw) ? 'refused' : REASONS.get(unified)
}

/** A number in v2; an object with a total since v3. */
const totalOf = (tokens: unknown): unknown => (typeof tokens === 'number' ? tokens : fieldsOf(tokens)['total'])

/** Models leave out what they do not support and only warn of it. */
function checkWarnings(warnings: unknown, call: AISDKLanguageCall): void {
  const names = Array.isArray(warnings) ? warnings.map(unsupportedOf) : []
  const ignored = (['responseFormat', 'maxOutputTokens', 'temperature'] as const).find(
    (name) => call[name] !== undefined && names.includes(name),
  )
  if (ignored === undefined) return
  const nextStep = ignored === 'responseFormat' ? "Set schemaMode to 'json_object' or 'none'." : `Leave ${ignored} out.`
  throw failureError({ code: 'config', summary: `the model does not support ${ignored}`, nextStep })
}

function unsupportedOf(warning: unknown): unknown {
  const { type, setting, feature } = fieldsOf(warning)
  if (type === 'unsupported-setting') return setting
  return type === 'unsupported' ? feature : undefined
}
