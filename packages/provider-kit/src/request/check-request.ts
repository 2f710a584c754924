import type { EmbeddingInput, EmbeddingLimits, EmbeddingRequest, Modality } from '@mnemark/spec'
import { failureError } from '../failure/service-failure.ts'

export interface RequestRules {
  readonly limits: EmbeddingLimits
  readonly modalities: readonly Modality[]
  readonly countTokens?: ((text: string) => number) | undefined
}

/** Throws TypeError for inputs of a wrong type, as JavaScript without types may pass them. */
export function requireInputs(inputs: unknown): void {
  if (!Array.isArray(inputs)) throw new TypeError(`inputs must be a list, got ${nameOfType(inputs)}`)
  const wrong = inputs.findIndex((input: unknown) => !isInput(input))
  if (wrong === -1) return
  const forms = "{ type: 'text', text } or { type: 'media', mime, bytes, label }"
  throw new TypeError(`inputs[${wrong}] must be ${forms}, got ${nameOfType(inputs[wrong])}`)
}

function isInput(input: unknown): boolean {
  if (typeof input !== 'object' || input === null) return false
  const { type, text, mime, bytes, label }: Readonly<Record<string, unknown>> = { ...input }
  if (type === 'text') return typeof text === 'string'
  return type === 'media' && typeof mime === 'string' && bytes instanceof Uint8Array && typeof label === 'string'
}

function nameOfType(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return typeof value === 'object' ? 'an object of another form' : `a ${typeof value}`
}

/** Throws for a request that is sure to fail, before anything is sent. */
export function checkRequest({ inputs, inputType }: EmbeddingRequest, rules: RequestRules): void {
  if (inputType !== 'query' && inputType !== 'document')
    throw failureError({ code: 'invalid-input', summary: "inputType must be 'query' or 'document'" })
  const { maxInputs, maxRequestBytes } = rules.limits
  if (inputs.length > maxInputs)
    throw failureError({
      code: 'invalid-input',
      summary: `${inputs.length} inputs where at most ${maxInputs} go into one request`,
      nextStep: `Send at most ${maxInputs} at a time.`,
    })
  refuse(inputs, (input) => !rules.modalities.some((modality) => modality === modalityOf(input)), {
    code: 'invalid-input',
    summary: `only ${rules.modalities.join(', ')} can be embedded`,
  })
  if (maxRequestBytes !== undefined) checkBytes(inputs, maxRequestBytes)
  if (rules.countTokens !== undefined) checkTokens(inputs, rules.limits, rules.countTokens)
}

function modalityOf(input: EmbeddingInput): Modality | 'other' {
  if (input.type === 'text') return 'text'
  const kind = /^(image|audio)\//.exec(input.mime)?.[1]
  return kind === 'image' || kind === 'audio' ? kind : 'other'
}

function refuse(
  inputs: readonly EmbeddingInput[],
  isRefused: (input: EmbeddingInput) => boolean,
  failure: { readonly code: 'invalid-input' | 'input-too-long'; readonly summary: string },
): void {
  const inputIndexes = inputs.flatMap((input, index) => (isRefused(input) ? [index] : []))
  if (inputIndexes.length > 0) throw failureError({ ...failure, inputIndexes })
}

/** The size in bytes of an input inside JSON: escaped text, media in base64. */
function bytesOf(input: EmbeddingInput): number {
  return input.type === 'text' ? Buffer.byteLength(JSON.stringify(input.text)) : Math.ceil(input.bytes.length / 3) * 4
}

function checkBytes(inputs: readonly EmbeddingInput[], maxBytes: number): void {
  const sizes = inputs.map(bytesOf)
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  if (bytes <= maxBytes) return
  const inputIndexes = sizes.flatMap((size, index) => (size > maxBytes ? [index] : []))
  throw failureError({
    code: 'input-too-long',
    summary: `${bytes} bytes of input where at most ${maxBytes} go into one request`,
    ...(inputIndexes.length > 0 ? { inputIndexes } : {}),
  })
}

function checkTokens(inputs: readonly EmbeddingInput[], limits: EmbeddingLimits, countTokens: (text: string) => number): void {
  const { maxInputTokens = Number.POSITIVE_INFINITY, maxRequestTokens = Number.POSITIVE_INFINITY } = limits
  const counts = inputs.map((input) => (input.type === 'text' ? countTokens(input.text) : 0))
  const inputIndexes = counts.flatMap((count, index) => (count > maxInputTokens ? [index] : []))
  if (inputIndexes.length > 0)
    throw failureError({ code: 'input-too-long', summary: `an input has more than ${maxInputTokens} tokens`, inputIndexes })
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total > maxRequestTokens)
    throw failureError({
      code: 'input-too-long',
      summary: `${total} tokens where at most ${maxRequestTokens} go into one request`,
    })
}
