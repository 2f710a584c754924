import { type Annotator, fingerprint } from '@mnemark/spec'
import { CHUNK_VERSION, type CheckedChunkSettings } from '../chunk/chunk-settings.ts'
import { SEGMENT_VERSION } from '../keywords/segment-header.ts'
import { analysisVersion } from '../text/analyse.ts'

/** Names all that decides what a document becomes in the index, but for its content; documents of another recipe are made anew. */
export function recipeOf(chunking: CheckedChunkSettings, annotators: readonly Annotator[]): string {
  return fingerprint({
    analysis: analysisVersion(),
    chunks: CHUNK_VERSION,
    segments: SEGMENT_VERSION,
    chunking: { ...chunking },
    annotators: annotators.map(({ id, version }) => ({ id, version })),
  })
}
