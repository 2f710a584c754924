import type { FactState } from '../facts/fact-registry.ts'
import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import { linesOfOpinion } from './compute-opinion.ts'
import type { Opinion } from './opinion.ts'
import { type OpinionOptions, Opinions } from './opinions-of.ts'

/** An opinion, and whether a fact says the same or the opposite. */
export interface StatedOpinion {
  readonly opinion: Opinion
  readonly isFor: boolean
}

type OpinionOf = (fact: IndexedFact) => StatedOpinion | undefined

/** Finds the opinions that facts state, computed once for each state of the index, when first asked. */
export class StatedOpinions {
  readonly #kept = new Opinions()
  readonly #known = new WeakMap<FactState, ReadonlyMap<IndexedFact, StatedOpinion>>()

  /** With a day the state is one of a single question, and is not kept. */
  of(state: FactState, options: OpinionOptions): OpinionOf {
    const isOfDay = options.asOf !== undefined || options.knownOn !== undefined
    let found: ReadonlyMap<IndexedFact, StatedOpinion> | undefined
    return (fact) => {
      found ??= this.#known.get(state) ?? byFact((isOfDay ? new Opinions() : this.#kept).read(state, options).opinions)
      this.#known.set(state, found)
      return found.get(fact)
    }
  }
}

function byFact(opinions: readonly Opinion[]): ReadonlyMap<IndexedFact, StatedOpinion> {
  const found = new Map<IndexedFact, StatedOpinion>()
  for (const opinion of opinions) {
    const lines = linesOfOpinion(opinion)
    const own = lines.find(({ fact }) => fact === opinion.line)
    for (const { fact, why, side } of lines) if (why === 'same statement') found.set(fact, { opinion, isFor: side === own?.side })
  }
  return found
}

/** The fact that stands for an opinion where a question finds what denies it: its newest statement. */
export function statementOf(opinion: Opinion): IndexedFact {
  const said = opinion.evidence.for.filter(({ fact, why }) => why !== 'relation' && why !== 'verdict' && fact.kind === 'opinion')
  return said[0]?.fact ?? opinion.line
}
