import type { EmbeddingProvider } from '@mnemark/spec'
import { createFakeEmbedder, type FakeEmbedder, type FakeEmbedderOptions } from './fake-embedder.ts'

export interface WordEmbedderOptions extends Omit<FakeEmbedderOptions, 'dimensions'> {
  /** One dimension for each group of synonyms. */
  readonly meanings: readonly (readonly string[])[]
  readonly confidence?: number
  readonly weight?: number
}

/** An embedder that knows a few meanings: texts are near if they share a meaning; a text without any has no vector. */
export function createWordEmbedder(options: WordEmbedderOptions): FakeEmbedder {
  const { meanings, confidence, weight = 0.7 } = options
  const fake = createFakeEmbedder({ ...options, dimensions: meanings.length })
  const embed: EmbeddingProvider['embed'] = async (request) => {
    const reply = await fake.embed(request)
    const vectors = request.inputs.map((input) => (input.type === 'text' ? vectorOfWords(input.text, meanings) : null))
    const isQuery = request.inputType === 'query'
    return { ...reply, vectors, ...(isQuery && confidence !== undefined && { confidence: vectors.map(() => confidence) }) }
  }
  return Object.defineProperty({ ...fake, traits: { ...fake.traits, vectorWeight: weight }, embed }, 'mostInFlight', {
    get: () => fake.mostInFlight,
  })
}

function vectorOfWords(text: string, meanings: readonly (readonly string[])[]): Float32Array | null {
  const words = text.toLowerCase().split(/[^\p{L}]+/u)
  const counts = meanings.map((meaning) => words.filter((word) => meaning.includes(word)).length)
  const length = Math.hypot(...counts)
  return length === 0 ? null : Float32Array.from(counts, (count) => count / length)
}
