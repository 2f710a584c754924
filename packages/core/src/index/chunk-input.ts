import { type EmbeddingInput, fingerprint, type StoredChunk } from '@mnemark/spec'
import { embeddingInputText, indexedText } from '../chunk/context.ts'

/** The input that is embedded for a chunk of a document with this title. */
export function chunkInput(
  { text, unindexed, headingTrail }: Pick<StoredChunk, 'text' | 'unindexed' | 'headingTrail'>,
  title: string | undefined,
): EmbeddingInput & { readonly type: 'text' } {
  return { type: 'text', text: embeddingInputText(title, headingTrail, indexedText(text, unindexed)) }
}

/** Key of a vector: the fingerprint of the canonical form of its input. */
export function inputHash(text: string): string {
  return fingerprint({ type: 'text', text })
}
