import type { CitedLines } from '../report/cited-lines.ts'
import type { Place } from './made-year.ts'
import type { YearQuestion } from './year-questions.ts'

/** Anything that answers a question with cited lines, best first. */
export type Ask = (question: Pick<YearQuestion, 'text'>, options: { readonly limit: number }) => Promise<readonly CitedLines[]>

export interface AnswerScore {
  /** Share of the gold facts whose line is cited among the first five, 0 to 1. */
  readonly recallAt5: number
  /** One over the rank of the first citation of a gold line, 0 where none of ten is one. */
  readonly reciprocalRank: number
  /** Whether a stale line is cited before any gold line; undefined where the question has no stale line. */
  readonly isStaleFirst?: boolean
  /** How many lines the first five citations have. */
  readonly linesAt5: number
}

export interface MeanScore {
  readonly questions: number
  readonly recallAt5: number
  readonly mrrAt10: number
  /** Share of the questions with stale lines; undefined where none has any. */
  readonly staleAboveGold?: number
  readonly linesAt5: number
}

/** How many citations are asked for. */
export const ASKED_FOR = 10
const FIRST = 5

function holds({ path, startLine, endLine }: CitedLines, places: readonly Place[]): boolean {
  return places.some((place) => place.path === path && startLine <= place.line && place.line <= endLine)
}

/** Scores one answer. A citation that holds both a gold and a stale line ranks neither above the other. */
export function scoreAnswer(
  { goldPlaces, stale }: Pick<YearQuestion, 'goldPlaces' | 'stale'>,
  answer: readonly CitedLines[],
): AnswerScore {
  const cited = answer.slice(0, ASKED_FOR)
  const first = cited.slice(0, FIRST)
  const found = goldPlaces.filter((places) => first.some((lines) => holds(lines, places)))
  const rankOf = (places: readonly Place[]) => cited.findIndex((lines) => holds(lines, places))
  const [goldRank, staleRank] = [rankOf(goldPlaces.flat()), rankOf(stale)]
  return {
    recallAt5: found.length / goldPlaces.length,
    reciprocalRank: goldRank < 0 ? 0 : 1 / (goldRank + 1),
    ...(stale.length > 0 && { isStaleFirst: staleRank >= 0 && (goldRank < 0 || staleRank < goldRank) }),
    linesAt5: first.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0),
  }
}

/** Throws RangeError for an empty list. */
export function meanScore(scores: readonly AnswerScore[]): MeanScore {
  if (scores.length === 0) throw new RangeError('There is no answer to take the mean of.')
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const stale = scores.flatMap(({ isStaleFirst }) => (isStaleFirst === undefined ? [] : [Number(isStaleFirst)]))
  return {
    questions: scores.length,
    recallAt5: mean(scores.map(({ recallAt5 }) => recallAt5)),
    mrrAt10: mean(scores.map(({ reciprocalRank }) => reciprocalRank)),
    ...(stale.length > 0 && { staleAboveGold: mean(stale) }),
    linesAt5: mean(scores.map(({ linesAt5 }) => linesAt5)),
  }
}
