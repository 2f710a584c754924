import { type Annotator, fingerprint } from '@mnemark/spec'
import { CHUNK_VERSION, type CheckedChunkSettings } from '../../chunk/chunk-settings.ts'
import type { DateOrder } from '../../dates/forms/date-matcher.ts'
import { SEGMENT_VERSION } from '../../keywords/format/segment-header.ts'
import { analysisVersion } from '../../text/analyse.ts'

export interface RecipeSettings {
  readonly chunking: CheckedChunkSettings
  readonly annotators: readonly Annotator[]
  readonly dateOrder?: DateOrder | undefined
}

/** Names all that decides what a document becomes in the index, but for its content; documents of another recipe are made anew. */
export function recipeOf({ chunking, annotators, dateOrder }: RecipeSettings): string {
  return fingerprint({
    analysis: analysisVersion(),
    chunks: CHUNK_VERSION,
    segments: SEGMENT_VERSION,
    chunking: { ...chunking },
    ...(dateOrder !== undefined && { dateOrder }),
    annotators: annotators.map(({ id, version }) => ({ id, version })),
  })
}

/** A note beside the original of which it is a copy: marked so in the index, hence made anew when that one comes or goes. */
export function recipeOfCopy(recipe: string): string {
  return `${recipe} copy`
}
