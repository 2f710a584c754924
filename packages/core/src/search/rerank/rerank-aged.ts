import type { CallOptions, Degradation, DocumentId, Reranker } from '@mnemark/spec'
import { plainQuery } from '../../keywords/terms/query-syntax.ts'
import { fileTitle } from '../../document/names/file-title.ts'
import type { AskReranker } from '../../rerank/ask-reranker.ts'
import { passageText } from '../../rerank/passage-text.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { applyScores, mayBeJudged } from './apply-scores.ts'

/** The reranker of a search. */
export interface RerankStage {
  readonly ask: AskReranker
  readonly limits: Reranker['limits']
  /** Whether the texts of a document may be sent. */
  readonly maySend?: ((document: DocumentId) => boolean) | undefined
}
export interface Reranked {
  readonly aged: readonly Candidate[]
  readonly degraded: readonly Degradation[]
}

/**
 * Lets the reranker judge the best candidates, as many as `top` and its limits allow. Fewer than two are in order
 * already. Without scores the order stands, and `degraded` says why. Rejects only with the reason of the signal.
 */
export async function rerankAged(
  aged: readonly Candidate[],
  { ask, limits, maySend = () => true }: RerankStage,
  { text, top, signal }: CallOptions & { readonly text: string; readonly top: number },
): Promise<Reranked> {
  const query = plainQuery(text)
  const most = Math.min(top, limits?.maxPassages ?? top)
  const judged = aged.filter((each) => mayBeJudged(each) && maySend(each.chunk.document)).slice(0, most)
  if (judged.length < 2 || query === '') return { aged, degraded: [] }
  const passages = judged.map(({ chunk, document }) =>
    passageText({ chunk, title: document.title ?? fileTitle(document.path) }, limits),
  )
  const answer = await ask({ query, passages, signal })
  if ('skipped' in answer) return { aged, degraded: [answer.skipped] }
  const scores = new Map(judged.map(({ chunk }, at) => [chunk.id, answer.scores[at] ?? 0]))
  return { aged: applyScores(aged, scores), degraded: [] }
}
