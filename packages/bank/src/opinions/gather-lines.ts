import type { FactState } from '../facts/fact-registry.ts'
import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import { contentKey } from '../retain/fact-id.ts'
import { affirmationsOf } from './affirmations.ts'
import type { GatheredLine } from './compute-opinion.ts'
import type { EvidenceReason } from './opinion.ts'

const ENDING: ReadonlySet<string> = new Set(['corrects', 'supersedes', 'retracts'])
const SUPERSEDED = /^(?:superseded|retracted|closed)$/i
const RELATION = 1.5
const STATEMENT = 1
const VERDICT = 0.5
const OF_AGENT = 0.5
/** Weights are written on the page: with four decimals they read back as they are. */
const PRECISION = 10_000

/** A statement and its negations, each with its side: 0 for the first of them, 1 for what says the opposite. */
export type Statements = ReadonlyMap<string, 0 | 1>

/** The opinions among facts of the same entities: their statements by content key, each joined with its negations. */
export function statementsOf(facts: readonly IndexedFact[], same: readonly (readonly [string, string])[]): readonly Statements[] {
  const keys = new Map<string, boolean>()
  for (const fact of facts) {
    const key = contentKey(fact.content)
    keys.set(key, keys.get(key) === true || fact.kind === 'opinion')
  }
  const links = new Map<string, { readonly key: string; readonly isOpposite: boolean }[]>()
  const link = (left: string, right: string, isOpposite: boolean): void => {
    links.set(left, [...(links.get(left) ?? []), { key: right, isOpposite }])
    links.set(right, [...(links.get(right) ?? []), { key: left, isOpposite }])
  }
  for (const key of keys.keys()) for (const other of affirmationsOf(key)) if (keys.has(other)) link(key, other, true)
  for (const [left, right] of same) if (keys.has(left) && keys.has(right)) link(left, right, false)
  const seen = new Set<string>()
  const found: Statements[] = []
  for (const key of [...keys.keys()].sort()) {
    if (seen.has(key) || keys.get(key) !== true) continue
    const sides = new Map<string, 0 | 1>([[key, 0]])
    // A map goes on over what is added to it.
    for (const [one, side] of sides)
      for (const { key: other, isOpposite } of links.get(one) ?? [])
        if (!sides.has(other)) sides.set(other, isOpposite ? (side === 0 ? 1 : 0) : side)
    for (const one of sides.keys()) seen.add(one)
    found.push(sides)
  }
  return found
}

export interface Weighing {
  /** Lines that an agent had recalled in the session in which it wrote them. */
  readonly isRecalled: (fact: IndexedFact) => boolean
  readonly corrections: FactState['corrections']
}

/** The lines that state one of the statements, and those that confirm or contradict one by a relation. */
export function linesOf(statements: Statements, facts: readonly IndexedFact[], weighing: Weighing): GatheredLine[] {
  const lines = new Map<IndexedFact, GatheredLine>()
  for (const fact of facts) {
    const side = statements.get(contentKey(fact.content))
    if (side === undefined) continue
    lines.set(fact, gathered(fact, { side, why: 'same statement', weight: STATEMENT }, weighing))
  }
  const stated = [...lines.values()]
  for (const { fact: target, side } of stated) {
    for (const { verb, by } of weighing.corrections.of.get(target) ?? []) {
      if (verb !== 'confirms' && verb !== 'contradicts') continue
      const own = verb === 'confirms' ? side : side === 0 ? 1 : 0
      add(lines, gathered(by, { side: own, why: 'relation', weight: RELATION }, weighing))
    }
  }
  return [...lines.values()]
}

/** A judgement of a line: a person's weighs as much as a relation. */
export function judgedLine(
  fact: IndexedFact,
  said: { readonly side: 0 | 1; readonly strength: number; readonly isByPerson: boolean },
  weighing: Weighing,
): GatheredLine {
  const weight = said.isByPerson ? RELATION : VERDICT * said.strength
  return gathered(fact, { side: said.side, why: said.isByPerson ? 'relation' : 'verdict', weight }, weighing, said.isByPerson)
}

/** A line that speaks in two ways does so in the stronger one. */
export function add(lines: Map<IndexedFact, GatheredLine>, line: GatheredLine): void {
  const known = lines.get(line.fact)
  if (known === undefined || known.weight < line.weight)
    lines.set(line.fact, known?.why === 'same statement' ? { ...line, why: 'same statement' } : line)
}

function gathered(
  fact: IndexedFact,
  said: { readonly side: 0 | 1; readonly why: EvidenceReason; readonly weight: number },
  { isRecalled, corrections }: Weighing,
  isJudgedByPerson = false,
): GatheredLine {
  const isByPerson = fact.author === 'person'
  const isExplicit = isJudgedByPerson || (said.why === 'relation' && isByPerson)
  const isNothing = (fact.kind === 'observation' && !isExplicit) || (!isByPerson && isRecalled(fact))
  const weight = isNothing || fact.state !== undefined ? 0 : said.weight * (isByPerson || isJudgedByPerson ? 1 : OF_AGENT)
  return {
    fact,
    ...said,
    weight: Math.round(weight * PRECISION) / PRECISION,
    isExplicit,
    withdrawnBy: withdrawn(fact, corrections),
  }
}

function withdrawn(fact: IndexedFact, corrections: FactState['corrections']): readonly IndexedFact[] {
  const isClosed =
    fact.state === 'retracted' || fact.children.some(({ key, value }) => key === 'status' && SUPERSEDED.test(value))
  const others = (corrections.of.get(fact) ?? []).filter(({ verb, isProposal }) => !isProposal && ENDING.has(verb))
  return [...(isClosed ? [fact] : []), ...others.map(({ by }) => by)]
}
