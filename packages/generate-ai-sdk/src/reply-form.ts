import type { FinishReason, GenerateReply } from '@mnemark/spec'
import type { AISDKSpecificationVersion, AISDKTextPart } from './ai-sdk-model.ts'

type FinishWord = 'stop' | 'length' | 'content-filter'

interface TokensOf<Part extends string> {
  inputTokens: Record<'total' | 'noCache' | 'cacheRead' | 'cacheWrite', number | undefined>
  outputTokens: Record<'total' | Part, number | undefined>
}

/** How an answer of each specification says why it ended, what it cost, and what was left out. */
export interface AISDKFormOf<Version extends AISDKSpecificationVersion> {
  finishReason: Version extends 'v2' ? FinishWord : { unified: FinishWord; raw: string | undefined }
  usage: Version extends 'v2'
    ? Record<'inputTokens' | 'outputTokens' | 'totalTokens', number | undefined>
    : TokensOf<'text' | 'reasoning'>
  warnings: (Version extends 'v2'
    ? { type: 'other'; message: string }
    : { type: 'unsupported'; feature: string; details?: string })[]
}

export type AISDKReplyOf<Version extends AISDKSpecificationVersion> = AISDKFormOf<Version> & { content: AISDKTextPart[] }

export type AISDKStreamPartOf<Version extends AISDKSpecificationVersion> =
  | ({ type: 'stream-start' } & Pick<AISDKFormOf<Version>, 'warnings'>)
  | { type: 'text-start' | 'text-end'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | ({ type: 'finish' } & Pick<AISDKFormOf<Version>, 'usage' | 'finishReason'>)

/** An answer in the form of a specification. `ignored` names settings that were left out. */
export function replyOf<Version extends AISDKSpecificationVersion>(
  reply: GenerateReply,
  ignored: readonly string[],
  version: Version,
): AISDKReplyOf<Version> {
  const { text } = reply
  const form = version === 'v2' ? oldForm(reply, ignored) : newForm(reply, ignored)
  // The form is that of the version, which the compiler cannot tell from a comparison of values.
  return { content: text === '' ? [] : [{ type: 'text', text }], ...(form as AISDKFormOf<Version>) }
}

const FINISH_WORDS: Readonly<Record<FinishReason, FinishWord>> = {
  stop: 'stop',
  length: 'length',
  refused: 'content-filter',
  filtered: 'content-filter',
}

function oldForm({ finishReason, usage }: GenerateReply, ignored: readonly string[]): AISDKFormOf<'v2'> {
  const { inputTokens, outputTokens } = usage ?? {}
  const totalTokens = usage && usage.inputTokens + usage.outputTokens
  return {
    finishReason: FINISH_WORDS[finishReason],
    usage: { inputTokens, outputTokens, totalTokens },
    warnings: ignored.map((name) => ({ type: 'other', message: `${name} is not supported and was left out` })),
  }
}

function newForm({ finishReason, usage }: GenerateReply, ignored: readonly string[]): AISDKFormOf<'v3' | 'v4'> {
  return {
    finishReason: { unified: FINISH_WORDS[finishReason], raw: finishReason },
    usage: {
      inputTokens: { total: usage?.inputTokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: usage?.outputTokens, text: undefined, reasoning: undefined },
    },
    warnings: ignored.map((feature) => ({ type: 'unsupported', feature })),
  }
}
