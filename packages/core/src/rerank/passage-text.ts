import type { Reranker, StoredChunk } from '@mnemark/spec'
import { cutText } from '../embed/input/cut-text.ts'
import { contextOf, indexedText } from '../chunk/context.ts'
import { estimateTokens } from '../text/estimate-tokens.ts'

/** One text may be denser than estimated by a tenth. */
const MARGIN = 1.1

export interface PassageSource {
  readonly chunk: Pick<StoredChunk, 'text' | 'unindexed' | 'headingTrail'>
  /** Title of the note. */
  readonly title: string | undefined
}

/**
 * The text of a chunk as a reranker reads it: title and headings, then the text without its unindexed parts. It is cut,
 * at a sentence, if it is longer than the reranker takes. A stub is its headings.
 */
export function passageText({ chunk, title }: PassageSource, limits: Reranker['limits']): string {
  const context = contextOf(title, chunk.headingTrail).join(' > ')
  const body = indexedText(chunk.text, chunk.unindexed).trim()
  const text = body === '' || context === '' ? body || context || chunk.text : `${context}\n\n${body}`
  const most = Math.max(1, Math.floor((limits?.maxPassageTokens ?? Number.POSITIVE_INFINITY) / MARGIN))
  if (estimateTokens(text) <= most) return text
  const { pieces } = cutText(text, { fits: (piece) => estimateTokens(piece) <= most, guessTokens: most }, 1)
  const [first] = pieces
  return first === undefined ? '' : text.slice(first.start, first.end)
}
