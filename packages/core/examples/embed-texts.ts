import { embedEach, embedQuery } from '@mnemark/core/embed'
import type { EmbeddingProvider } from '@mnemark/spec'

// Stands for any provider of @mnemark/embed-*: two texts a request, eight words a text, and vowels for a model.
const vowels: EmbeddingProvider = {
  specVersion: 'v1',
  space: { provider: 'vowels', endpoint: null, model: 'counts', requestedDimensions: null, variant: {} },
  limits: { maxInputs: 2, maxInputTokens: 8, concurrency: 1 },
  modalities: ['text'],
  traits: { isLocal: true, vectorWeight: 0.2 },
  countTokens: (text) => text.split(/\s+/).filter((word) => word !== '').length,
  embed: async ({ inputs }) => {
    const texts = inputs.map((input) => (input.type === 'text' ? input.text : input.label))
    const counts = texts.map((text) => [...'aeiou'].map((vowel) => text.split(vowel).length - 1))
    return { vectors: counts.map((each) => Float32Array.from(each, (count) => count / (Math.hypot(...each) || 1))) }
  },
}

const notes = ['Deploys go through the blue cluster.', '', 'One sentence of a note. And another one that makes it too long.']
const summary = await embedEach(
  vowels,
  notes.map((text) => ({ type: 'text', text })),
  {
    inputType: 'document',
    // A store keeps the results so far here.
    onResults: (results) => {
      for (const result of results) {
        if (result.status === 'failed') console.log(result.index, result.error.code)
        else console.log(result.index, result.vector?.length ?? 'no vector', `pieces: ${result.pieces?.length ?? 1}`)
      }
    },
  },
)
console.log(`${summary.embedded} embedded, ${summary.failed} failed, ${summary.requests} requests`)

const { vector, confidence } = await embedQuery(vowels, 'where do deploys go')
console.log(vector?.length, confidence)
