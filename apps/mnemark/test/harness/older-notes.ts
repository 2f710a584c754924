import type { DocumentSource, EmbeddingProvider } from '@mnemark/spec'
import { sampleVector } from '@mnemark/testkit'
import { createRandom } from '../faults/random.ts'
import { sampleNote } from '../faults/sample-notes.ts'

const NOTES = 12
const SEED = 20_261_130

function pathOf(number: number): string {
  return `memory/note-${number}.md`
}

/** The notes of the index in `__fixtures__/segments-2.sqlite.gz`, before and after the edits that it saw. */
export function olderNotes(): { readonly first: ReadonlyMap<string, string>; readonly edited: ReadonlyMap<string, string> } {
  const random = createRandom(SEED)
  const first = new Map<string, string>()
  for (let number = 0; number < NOTES; number++) first.set(pathOf(number), sampleNote(random, number))
  const edited = new Map(first)
  for (let number = 0; number < 2; number++) edited.set(pathOf(number), sampleNote(random, number))
  edited.delete(pathOf(5))
  return { first, edited }
}

/** Notes in a map; a text of another length is another version. */
export function sourceOf(notes: ReadonlyMap<string, string>): DocumentSource {
  return {
    id: 'memory',
    async *list() {
      for (const [path, text] of notes) yield { source: 'memory', path, size: text.length, modifiedAtMs: text.length }
    },
    read: async ({ path }) => ({ text: notes.get(path) ?? '' }),
  }
}

/** A provider in memory, with what was sent to it. */
export function countingEmbedder(): EmbeddingProvider & { readonly sent: string[] } {
  const sent: string[] = []
  return {
    specVersion: 'v1',
    space: { provider: 'counting', endpoint: null, model: 'sample', requestedDimensions: 8, variant: {} },
    limits: { maxInputs: 32, concurrency: 1 },
    modalities: ['text'],
    traits: { isLocal: true, vectorWeight: 0.7 },
    sent,
    async embed({ inputs }) {
      const texts = inputs.map((input) => (input.type === 'text' ? input.text : input.label))
      sent.push(...texts)
      return {
        vectors: texts.map((text) => {
          const raw = sampleVector(text, 8)
          const length = Math.hypot(...raw)
          return Float32Array.from(raw, (value) => value / length)
        }),
      }
    },
  }
}
