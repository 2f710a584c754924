import {
  type EmbeddingLimits,
  type EmbeddingProvider,
  type EmbeddingRequest,
  ProviderError,
  type ProviderErrorCode,
} from '@mnemark/spec'
import { sampleVector } from '@mnemark/testkit'

export interface FakeEmbedderOptions {
  readonly limits?: Partial<EmbeddingLimits>
  readonly name?: string
  readonly dimensions?: number
  readonly isLocal?: boolean
  readonly hasUsage?: boolean
  readonly countTokens?: (text: string) => number
  /** Called before the answer; throws the error that the call fails with. Calls are counted from 1. */
  readonly before?: (texts: readonly string[], call: number, request: EmbeddingRequest) => void | Promise<void>
}

/** A provider in memory that computes the vector of each text from the text. */
export interface FakeEmbedder extends EmbeddingProvider {
  /** The texts of every request, in the order of arrival. */
  readonly calls: (readonly string[])[]
  readonly mostInFlight: number
}

export function createFakeEmbedder(options: FakeEmbedderOptions = {}): FakeEmbedder {
  const { name = 'fake', dimensions = 4, countTokens } = options
  const calls: (readonly string[])[] = []
  let inFlight = 0
  let mostInFlight = 0
  return {
    specVersion: 'v1',
    space: { provider: name, endpoint: null, model: 'sample', requestedDimensions: dimensions, variant: {} },
    limits: { maxInputs: 32, concurrency: 1, ...options.limits },
    modalities: ['text'],
    traits: { isLocal: options.isLocal ?? false, vectorWeight: 0.7 },
    calls,
    get mostInFlight() {
      return mostInFlight
    },
    async embed(request) {
      const texts = request.inputs.map((input) => (input.type === 'text' ? input.text : input.label))
      calls.push(texts)
      mostInFlight = Math.max(mostInFlight, ++inFlight)
      try {
        await options.before?.(texts, calls.length, request)
        const usage = options.hasUsage === false ? {} : { usage: { inputTokens: texts.length } }
        return { vectors: texts.map((text) => vectorOf(text, dimensions)), ...usage }
      } finally {
        inFlight--
      }
    },
    ...(countTokens === undefined ? {} : { countTokens }),
  }
}

export function vectorOf(text: string, dimensions = 4): Float32Array {
  const raw = sampleVector(text, dimensions)
  const length = Math.hypot(...raw)
  return Float32Array.from(raw, (value) => value / length)
}

export function refusal(code: ProviderErrorCode, details: Partial<ProviderError> = {}): ProviderError {
  return new ProviderError(code, `fake: ${code}`, { provider: 'fake', ...details })
}

/** Waits until the request is aborted, like a service that never answers. */
export function silence({ signal }: EmbeddingRequest): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

export const textInput = (text: string): { readonly type: 'text'; readonly text: string } => ({ type: 'text', text })
