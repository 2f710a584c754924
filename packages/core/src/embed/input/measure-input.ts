import type { EmbeddingInput, EmbeddingProvider } from '@mnemark/spec'
import { estimateTokens } from '../../text/estimate-tokens.ts'

/** Limits of one request, in the tokens of the measure; Infinity where there is no limit. */
export interface RequestLimits {
  readonly inputs: number
  readonly inputTokens: number
  readonly requestTokens: number
  readonly requestBytes: number
}

export interface InputMeasure {
  tokens(text: string): number
  /** Size in JSON: escaped text, media in base64, a comma. 0 where the provider has no limit in bytes. */
  bytes(input: EmbeddingInput): number
  readonly limits: RequestLimits
}

/** The part of a provider that planning needs. */
export type PlannedProvider = Pick<EmbeddingProvider, 'limits' | 'countTokens'>

/**
 * Margins of the estimate: one text may be denser than estimated by a tenth, many together by a twentieth. The service
 * refuses denser ones, and the run learns from that.
 */
const INPUT_MARGIN = 1.1
const REQUEST_MARGIN = 1.05
/** Bytes of a request that are not inputs: model, settings, brackets. */
const ENVELOPE_BYTES = 512
const ENVELOPE_SHARE = 0.05

/** Sizes as the provider counts them, else by core's estimate with a margin. `isGrouped: false` = one input per request. */
export function measureFor(provider: PlannedProvider, isGrouped = true): InputMeasure {
  const { limits } = provider
  const countTokens = provider.countTokens?.bind(provider)
  const { maxInputs, maxInputTokens = Infinity, maxRequestTokens = Infinity, maxRequestBytes = Infinity } = limits
  const isExact = countTokens !== undefined
  const requestTokens = isExact ? maxRequestTokens : withMargin(maxRequestTokens, REQUEST_MARGIN)
  const inputTokens = isExact ? maxInputTokens : withMargin(maxInputTokens, INPUT_MARGIN)
  const envelope = Math.min(ENVELOPE_BYTES, Math.floor(maxRequestBytes * ENVELOPE_SHARE))
  return {
    tokens: isExact ? (text) => checkedCount(countTokens(text)) : estimateTokens,
    bytes: maxRequestBytes === Infinity ? () => 0 : jsonBytes,
    limits: {
      inputs: isGrouped ? Math.max(1, maxInputs) : 1,
      inputTokens: Math.min(inputTokens, requestTokens),
      requestTokens,
      requestBytes: maxRequestBytes - (maxRequestBytes === Infinity ? 0 : envelope),
    },
  }
}

const withMargin = (tokens: number, margin: number): number => Math.max(1, Math.floor(tokens / margin))

function checkedCount(count: number): number {
  if (!(count >= 0 && count < Infinity)) throw new RangeError(`countTokens must answer a number from 0, got ${count}`)
  return Math.ceil(count)
}

function jsonBytes(input: EmbeddingInput): number {
  return 1 + (input.type === 'text' ? utf8Length(JSON.stringify(input.text)) : Math.ceil(input.bytes.length / 3) * 4)
}

/** Bytes of a well-formed text in UTF-8, as in JSON. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    // Each half of a surrogate pair stands for two of the four bytes.
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return bytes
}
