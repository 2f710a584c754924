import type { FactState } from '../facts/fact-registry.ts'
import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import { originKey, statementKey } from '../packs/statement.ts'
import { compareText } from '../retain/compare-text.ts'
import { contentKey } from '../retain/fact-id.ts'
import type { FactEntity } from '../retain/fact.ts'
import { entityText } from '../retain/write-fact.ts'
import { timelineOf, valuesOf, valuesOfFact } from '../values/values-of.ts'
import { byAge, isClosed, statementsOf } from './page-facts.ts'
import { harmless, sourceOf } from './page-item.ts'
import type { PageOpinion } from './page-opinion.ts'
import { isScrap } from './scraps.ts'

/** A statement that may stand in the long-term file. */
export interface MemoryCandidate {
  /** Equal for one statement, however often it was said. */
  readonly key: string
  /** Its bullet: `- @Mara: prefers mail (see memory/2026-03-14.md#L4)`. */
  readonly line: string
  readonly source: string
  readonly why: string
}

const LEAST_ORIGINS = 2
const LEAST_CONFIDENCE = 0.8
const DECISION = /^(?:decisions?|decided|entscheidung|decisión|décision|قرار|决定|決定)$/iu

interface Ranked extends MemoryCandidate {
  readonly rank: readonly [group: number, origins: number, day: string]
}

/**
 * The statements worth a place in the long-term file, the most worth first: values of declared slots that hold, decisions (`#decision`), then
 * by the number of independent days, then the newest. A fact about the world needs a person's line or two independent days; an experience two
 * days; an opinion a confidence of .8 and two groups for it; an observation never qualifies.
 */
export function memoryCandidates(state: FactState, opinions: readonly PageOpinion[]): readonly MemoryCandidate[] {
  const known = new Set(opinions.flatMap(({ facts = [] }) => facts))
  const facts = state.facts.filter((fact) => !fact.isCopy && !isClosed(fact, state) && isHeld(fact, state) && !known.has(fact.id))
  const statements = statementsOf(facts, state).flatMap((statement) => candidateOf(statement, state) ?? [])
  const believed = opinions.flatMap((opinion) => opinionCandidate(opinion, state) ?? [])
  const ranked = [...statements, ...believed].toSorted(byRank)
  return [...new Map(ranked.toReversed().map((one) => [one.key, one])).values()].toReversed()
}

/** False for an earlier value of a slot. */
function isHeld(fact: IndexedFact, state: FactState): boolean {
  return valuesOfFact(valuesOf(state), fact).every(({ to, isVoid }) => to === undefined && !isVoid)
}

function candidateOf(statement: readonly [IndexedFact, ...IndexedFact[]], state: FactState): Ranked | undefined {
  const [oldest] = statement
  const { kind, entities, content } = oldest
  const origins = new Set(statement.map(originKey)).size
  const byPerson = statement.find(({ author }) => author === 'person')
  const isKnown =
    kind === 'world' ? byPerson !== undefined || origins >= LEAST_ORIGINS : kind === 'experience' && origins >= LEAST_ORIGINS
  if (!isKnown || isScrap(content)) return undefined
  const source = byPerson ?? oldest
  const isValue = valuesOfFact(valuesOf(state), oldest).length > 0
  const isDecision = statement.some(({ tags }) => tags.some((tag) => DECISION.test(tag)))
  const reason = isValue
    ? 'a value that holds'
    : isDecision
      ? 'a decision'
      : origins > 1
        ? `said on ${origins} days`
        : 'said by a person'
  const day = statement.at(-1)?.days?.from ?? ''
  return {
    ...bulletOf(entities, content, sourceOf(source)),
    key: memoryKey(oldest, state),
    why: reason,
    rank: [isValue ? 0 : isDecision ? 1 : 2, origins, day],
  }
}

function opinionCandidate(opinion: PageOpinion, state: FactState): Ranked | undefined {
  const { statement, entities, confidence, groups, source } = opinion
  const isSure = opinion.state === 'open' && confidence >= LEAST_CONFIDENCE && groups.for >= LEAST_ORIGINS
  if (!isSure || isScrap(statement)) return undefined
  return {
    ...bulletOf(entities, statement, source),
    key: memoryKey({ entities, content: statement }, state),
    why: `${groups.for} groups for it, ${groups.against} against`,
    rank: [2, groups.for, ''],
  }
}

function bulletOf(entities: readonly FactEntity[], content: string, source: string): Pick<MemoryCandidate, 'line' | 'source'> {
  const names = entities.map(entityText).join(' ')
  const said = harmless(`- ${names === '' ? '' : `${names}: `}${content.replace(/\s+/g, ' ')}`)
  return { line: `${said} (see ${source})`, source }
}

function byRank(left: Ranked, right: Ranked): number {
  return (
    left.rank[0] - right.rank[0] ||
    right.rank[1] - left.rank[1] ||
    compareText(right.rank[2], left.rank[2]) ||
    compareText(left.key, right.key)
  )
}

export function memoryKey(fact: Pick<IndexedFact, 'entities' | 'content'>, { entities }: FactState): string {
  return statementKey(fact, (key) => entities.find(key)?.key ?? key)
}

/** Why a statement holds no longer, and the bullet that may stand in its place. */
export interface Outdated {
  readonly why: string
  readonly source: string
  readonly successor?: MemoryCandidate
}

/** The statements that no fact says any longer, by their key. */
export function outdatedStatements(state: FactState): ReadonlyMap<string, Outdated> {
  const holds = (fact: IndexedFact): boolean => !isClosed(fact, state) && isHeld(fact, state)
  const standing = new Set(state.facts.filter(holds).map((fact) => memoryKey(fact, state)))
  const endings = new Map<string, Ending>()
  for (const fact of state.facts.toSorted(byAge)) {
    const key = memoryKey(fact, state)
    const ending = standing.has(key) || endings.has(key) || fact.isCopy ? undefined : endingOf(fact, state)
    if (ending !== undefined) endings.set(key, ending)
  }
  return new Map([...endings].map(([key, ending]) => [key, outdated(ending, endings, state)]))
}

interface Ending {
  readonly why: string
  readonly source: string
  readonly by?: IndexedFact
}

const MOST_STEPS = 20

/** Follows what replaced a statement to the one that still holds. */
function outdated({ why, source, by }: Ending, endings: ReadonlyMap<string, Ending>, state: FactState): Outdated {
  let last = by
  for (let step = 0; step < MOST_STEPS && last !== undefined; step += 1) {
    const next = endings.get(memoryKey(last, state))
    if (next === undefined) break
    last = next.by
  }
  if (last === undefined || isScrap(last.content)) return { why, source }
  const successor = { ...bulletOf(last.entities, last.content, sourceOf(last)), key: memoryKey(last, state), why }
  return { why, source, successor }
}

const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['corrects', 'corrected'],
  ['supersedes', 'superseded'],
  ['retracts', 'retracted'],
])

function endingOf(fact: IndexedFact, state: FactState): Ending | undefined {
  if (fact.state !== undefined) return { why: 'struck out', source: sourceOf(fact) }
  for (const { verb, by, isProposal } of state.corrections.of.get(fact) ?? []) {
    const word = ENDINGS.get(verb)
    if (word !== undefined && !isProposal) return { why: word, source: sourceOf(by), ...(verb !== 'retracts' && { by }) }
  }
  const values = valuesOf(state)
  const value = valuesOfFact(values, fact).find(({ to }) => to !== undefined)
  if (value?.closedBy === undefined) return undefined
  const held = timelineOf(values, value).findLast(({ to, isVoid }) => to === undefined && !isVoid)?.facts[0]
  return { why: `${value.slot} until ${value.to}`, source: sourceOf(value.closedBy), ...(held !== undefined && { by: held }) }
}

/** Keys of all statements by the forms in which a person may write them: `@Mara: lives in Oslo`, `Mara lives in Oslo`. */
export function statementForms(state: FactState, opinions: readonly PageOpinion[]): ReadonlyMap<string, string> {
  const forms = new Map<string, string>()
  const said = opinions.map(({ entities, statement }) => ({ entities, content: statement }))
  for (const fact of [...state.facts, ...said]) {
    const key = memoryKey(fact, state)
    const names = fact.entities.map(({ name, label }) => label ?? name).join(' ')
    forms.set(key, key)
    forms.set(contentKey(`${names} ${fact.content}`), key)
  }
  return forms
}
