import { type EmbeddingInput, fingerprint, type StoredChunk } from '@mnemark/spec'
import { embeddingInputText, indexedText } from '../chunk/context.ts'

/** What is embedded for a chunk of a document of this title. */
export function chunkInput(
  { text, unindexed, headingTrail }: Pick<StoredChunk, 'text' | 'unindexed' | 'headingTrail'>,
  title: string | undefined,
): EmbeddingInput & { readonly type: 'text' } {
  return { type: 'text', text: embeddingInputText(title, headingTrail, indexedText(text, unindexed)) }
}

/** The fingerprint of the canonical form of an input is the key of its vector. */
export function inputHash(text: string): string {
  return fingerprint({ type: 'text', text })
}
