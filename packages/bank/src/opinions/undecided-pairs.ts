import { isStopWord, termSet } from '@mnemark/core/text'
import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import { compareText } from '../retain/compare-text.ts'
import { linesOfOpinion } from './compute-opinion.ts'
import type { Opinion, UndecidedPair, Verdict } from './opinion.ts'
import { compareAge } from './source-day.ts'

/** Most pairs that one opinion is offered with. */
const MOST_OF_OPINION = 5
/** A word in more lines of the same entities says nothing about which of them to read. */
const MOST_LINES_OF_WORD = 200

/**
 * Lines about the same entities that share a content word with an opinion and that no rule decides about, for a person or a model to judge: those
 * with the most such words first. How alike two lines are decides which are offered, and nothing else.
 */
export function undecidedPairs(
  opinions: readonly Opinion[],
  facts: readonly IndexedFact[],
  verdicts: readonly Verdict[],
): readonly UndecidedPair[] {
  if (opinions.length === 0) return []
  const postings = postingsOf(facts)
  const judged = new Set(verdicts.filter(({ verdict }) => verdict !== 'unsure').map(({ opinion, fact }) => `${opinion} ${fact}`))
  return opinions.filter(({ state }) => state !== 'retracted').flatMap((opinion) => pairsOf(opinion, postings, judged))
}

function pairsOf(
  opinion: Opinion,
  postings: ReadonlyMap<string, readonly IndexedFact[]>,
  judged: ReadonlySet<string>,
): readonly UndecidedPair[] {
  const decided = new Set(linesOfOpinion(opinion).map(({ fact }) => fact.id))
  const shared = new Map<IndexedFact, number>()
  for (const word of contentWords(opinion.statement)) {
    const lines = postings.get(word) ?? []
    for (const fact of lines.length > MOST_LINES_OF_WORD ? [] : lines) shared.set(fact, (shared.get(fact) ?? 0) + 1)
  }
  const open = [...shared].filter(
    ([{ id }]) => !decided.has(id) && !opinion.anchor.absorbed.includes(id) && !judged.has(`${opinion.id} ${id}`),
  )
  const ranked = open.toSorted(
    ([left, one], [right, other]) => other - one || compareAge(right, left) || compareText(left.id, right.id),
  )
  const distinct = [...new Map(ranked.toReversed().map(([fact]) => [fact.id, fact])).values()].reverse()
  return distinct.slice(0, MOST_OF_OPINION).map((fact) => ({ opinion: opinion.id, statement: opinion.statement, fact }))
}

function postingsOf(facts: readonly IndexedFact[]): ReadonlyMap<string, readonly IndexedFact[]> {
  const postings = new Map<string, IndexedFact[]>()
  for (const fact of facts) {
    if (fact.isCopy || fact.state !== undefined || fact.kind === 'observation') continue
    for (const word of contentWords(fact.content)) {
      const lines = postings.get(word)
      if (lines === undefined) postings.set(word, [fact])
      else lines.push(fact)
    }
  }
  return postings
}

function contentWords(text: string): ReadonlySet<string> {
  return new Set([...termSet(text)].filter((term) => !isStopWord(term, undefined)))
}
