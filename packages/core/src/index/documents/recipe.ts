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

/** Names what decides how any document is indexed, besides its content; documents of another recipe are indexed again. */
function baseRecipe({ chunking, dateOrder }: RecipeSettings): string {
  return fingerprint({
    analysis: analysisVersion(),
    chunks: CHUNK_VERSION,
    segments: SEGMENT_VERSION,
    chunking: { ...chunking },
    ...(dateOrder !== undefined && { dateOrder }),
    annotators: [],
  })
}

/** The recipe of the document at each path: the annotators that concern it are a part of their own. */
export function recipesOf(settings: RecipeSettings): (path: string) => string {
  const base = baseRecipe(settings)
  const known = new Map<string, string>()
  return (path) => {
    const concerned = settings.annotators.filter((annotator) => annotator.concerns?.(path) ?? true)
    if (concerned.length === 0) return base
    const versions = concerned.map(({ id, version }) => ({ id, version }))
    const key = JSON.stringify(versions)
    const recipe = known.get(key) ?? `${base}${ANNOTATED}${fingerprint({ annotators: versions })}`
    known.set(key, recipe)
    return recipe
  }
}

const ANNOTATED = ' annotated '
const ANNOTATION = / annotated \w+/

/** Whether two recipes differ at most in their annotators, so that equal chunks mean an equal index. */
export function differInAnnotators(left: string, right: string): boolean {
  return left.replace(ANNOTATION, '') === right.replace(ANNOTATION, '')
}

/** The recipe of a copy beside its original: the index marks it, so it is indexed again when the original comes or goes. */
export function recipeOfCopy(recipe: string): string {
  return `${recipe} copy`
}
