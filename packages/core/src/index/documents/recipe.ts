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

/** Names everything besides the content that decides how a document is indexed; documents of another recipe are indexed again. */
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

/** The recipe of a copy beside its original: the index marks it, so it is indexed again when the original comes or goes. */
export function recipeOfCopy(recipe: string): string {
  return `${recipe} copy`
}
