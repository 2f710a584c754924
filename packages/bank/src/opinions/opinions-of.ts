import type { FactState } from '../facts/fact-registry.ts'
import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import { compareText } from '../retain/compare-text.ts'
import { contentKey } from '../retain/fact-id.ts'
import { computeOpinion, type GatheredLine, hasNewEvidence, type OpinionInput, undatedId } from './compute-opinion.ts'
import { type EditedStatement, editedStatements } from './edited-statements.ts'
import { add, judgedLine, linesOf, type Statements, statementsOf, type Weighing } from './gather-lines.ts'
import type { SessionOf } from './groups.ts'
import type { DeletedOpinion, Opinion, RecordedAnchor, UndecidedPair, Verdict } from './opinion.ts'
import { isOwnLine } from './own-line.ts'
import { undecidedPairs } from './undecided-pairs.ts'

export interface OpinionOptions {
  /** Only what was true on that day, YYYY-MM-DD: lines dated and numbers stated until then. */
  readonly asOf?: string | undefined
  /** Only what was known on that day; needs `knownSince`, without which everything counts as always known. */
  readonly knownOn?: string | undefined
  /** The day on which a fact became known; undefined = always known. */
  readonly knownSince?: ((fact: IndexedFact) => string | undefined) | undefined
  /** The day from which a number counts that somebody typed and nothing recorded yet. */
  readonly today?: string | undefined
  readonly verdicts?: readonly Verdict[] | undefined
  /** Numbers typed earlier. */
  readonly anchors?: readonly RecordedAnchor[] | undefined
  readonly deleted?: readonly DeletedOpinion[] | undefined
  readonly sessionOf?: SessionOf | undefined
  /** Whether an agent had recalled what a line says in the session in which it wrote it. */
  readonly isRecalled?: ((fact: IndexedFact) => boolean) | undefined
}

export interface OpinionsReading {
  /** In the order of their entities, then of their statements. */
  readonly opinions: readonly Opinion[]
  /** Opinions whose line a person deleted and that have new evidence since: to be proposed, never written. */
  readonly returning: readonly Opinion[]
  /** Pairs for a person or a model, at most 200. */
  readonly undecided: readonly UndecidedPair[]
}

const MOST_UNDECIDED = 200

/** The opinions of a state: a pure function of its facts and the records given, whatever the order in which notes came. */
export function opinionsOf(state: FactState, options: OpinionOptions = {}): readonly Opinion[] {
  return new Opinions().read(state, options).opinions
}

interface Bucket {
  readonly inputs: readonly unknown[]
  readonly opinions: readonly Opinion[]
  readonly undecided: readonly UndecidedPair[]
}

interface Records {
  readonly verdicts: ReadonlyMap<string, readonly Verdict[]>
  readonly edits: readonly EditedStatement[]
  readonly byId: ReadonlyMap<string, IndexedFact>
}

/** The same, keeping what it computed: a later state computes only the opinions again whose entities have other facts. */
export class Opinions {
  #buckets: ReadonlyMap<string, Bucket> = new Map()
  #records = ''
  #computed = 0

  /** Opinions computed since it was made, for tests and reports. */
  get computed(): number {
    return this.#computed
  }

  read(state: FactState, options: OpinionOptions = {}): OpinionsReading {
    const known = stateKnown(state, options)
    const records = recordsOf(known, options)
    const buckets = new Map<string, Bucket>()
    const text = JSON.stringify([options.asOf, options.today, options.anchors, options.verdicts])
    const kept = text === this.#records ? this.#buckets : new Map<string, Bucket>()
    for (const [key, facts] of byEntities(known)) {
      const bucket = this.#bucketOf(key, { facts, state: known, records, options }, kept.get(key))
      if (bucket !== undefined) buckets.set(key, bucket)
    }
    this.#buckets = buckets
    this.#records = text
    const sorted = [...buckets].sort(([left], [right]) => compareText(left, right)).map(([, bucket]) => bucket)
    const deleted = new Map((options.deleted ?? []).map((one) => [one.opinion, one]))
    const all = sorted.flatMap(({ opinions }) => opinions)
    const isDeleted = (opinion: Opinion): boolean => deleted.has(opinion.id) && !isOwnLine(opinion.line)
    const returning = all.filter((opinion) => {
      const one = deleted.get(opinion.id)
      return one !== undefined && isDeleted(opinion) && hasNewEvidence(opinion, one)
    })
    const isGone = new Set(all.filter(isDeleted).map(({ id }) => id))
    return {
      opinions: all.filter(({ id }) => !isGone.has(id)),
      returning,
      undecided: sorted
        .flatMap(({ undecided }) => undecided)
        .filter(({ opinion }) => !isGone.has(opinion))
        .slice(0, MOST_UNDECIDED),
    }
  }

  #bucketOf(key: string, source: Source, kept: Bucket | undefined): Bucket | undefined {
    const { facts, state, records } = source
    if (!facts.some(({ kind }) => kind === 'opinion')) return undefined
    const inputs = inputsOf(facts, state, records)
    if (kept !== undefined && isSame(kept.inputs, inputs)) return kept
    const opinions = statementsOf(facts, sameStatements(facts, records.edits))
      .flatMap((statements) => computeOpinion(inputOf(statements, source), source.options.asOf) ?? [])
      .toSorted((left, right) => compareText(contentKey(left.statement), contentKey(right.statement)))
    this.#computed += opinions.length
    return { inputs, opinions, undecided: undecidedPairs(opinions, facts, source.options.verdicts ?? []) }
  }
}

interface Source {
  readonly facts: readonly IndexedFact[]
  readonly state: FactState
  readonly records: Records
  readonly options: OpinionOptions
}

function stateKnown(state: FactState, { knownOn, knownSince }: OpinionOptions): FactState {
  return knownOn === undefined || knownSince === undefined ? state : state.only((fact) => (knownSince(fact) ?? '') <= knownOn)
}

function recordsOf(state: FactState, { verdicts = [] }: OpinionOptions): Records {
  const byOpinion = new Map<string, Verdict[]>()
  for (const verdict of verdicts) byOpinion.set(verdict.opinion, [...(byOpinion.get(verdict.opinion) ?? []), verdict])
  const ids = new Set(verdicts.map(({ fact }) => fact))
  const byId = new Map<string, IndexedFact>()
  for (const fact of ids.size === 0 ? [] : state.facts) {
    const known = byId.get(fact.id)
    if (ids.has(fact.id) && (known === undefined || known.isCopy)) byId.set(fact.id, fact)
  }
  return { verdicts: byOpinion, edits: editedStatements(state.facts), byId }
}

/** Facts of the same entities, by any of their names: only such can say the same. */
function byEntities(state: FactState): ReadonlyMap<string, readonly IndexedFact[]> {
  const groups = new Map<string, IndexedFact[]>()
  for (const fact of state.facts) {
    if (fact.state === 'forget') continue
    const key = JSON.stringify([...new Set(fact.entities.map((one) => state.entities.find(one.key)?.key ?? one.key))].sort())
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [fact])
    else group.push(fact)
  }
  return groups
}

/** Everything that decides about the opinions of a bucket; equal where none of it changed. */
function inputsOf(facts: readonly IndexedFact[], { corrections }: FactState, { edits, byId }: Records): readonly unknown[] {
  const relations = facts.flatMap((fact) =>
    (corrections.of.get(fact) ?? []).flatMap(({ verb, by, isProposal }) => [verb, by, isProposal]),
  )
  const edited = edits.flatMap(({ line, before, id, isSame: same }) => [line, before, id, same])
  return [...facts, ...relations, ...edited, ...byId.values()]
}

function isSame(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((one, at) => one === right[at])
}

function sameStatements(
  facts: readonly IndexedFact[],
  edits: readonly EditedStatement[],
): readonly (readonly [string, string])[] {
  return edits.flatMap(({ line, before, isSame: same }) =>
    same && before !== undefined && facts.includes(line) ? [[contentKey(before.content), contentKey(line.content)] as const] : [],
  )
}

function inputOf(statements: Statements, { facts, state, records, options }: Source): OpinionInput {
  const { sessionOf = () => undefined, isRecalled = () => false, anchors = [], today } = options
  const weighing: Weighing = { isRecalled, corrections: state.corrections }
  const gathered = linesOf(statements, facts, weighing)
  const edit = records.edits.find(({ line }) => gathered.some(({ fact }) => fact === line))
  const replacing = records.edits.find(({ before, isSame: same }) => !same && gathered.some(({ fact }) => fact === before))
  const base: OpinionInput = {
    lines: gathered,
    ...(edit?.isSame === true && { keptId: edit.id }),
    ...(replacing !== undefined && { replacedBy: undatedId(replacing.line) }),
    anchors,
    sessionOf,
    today,
  }
  return records.verdicts.size === 0 ? base : { ...base, lines: withVerdicts(base, records, weighing) }
}

/** Verdicts name the opinion, whose statement decides which side they take. */
function withVerdicts(input: OpinionInput, { verdicts, byId }: Records, weighing: Weighing): readonly GatheredLine[] {
  const opinion = computeOpinion(input)
  const own = input.lines.find(({ fact }) => fact === opinion?.line)
  if (opinion === undefined || own === undefined) return input.lines
  const lines = new Map(input.lines.map((line) => [line.fact, line]))
  for (const { fact: id, verdict, strength, by } of verdicts.get(opinion.id) ?? []) {
    const fact = byId.get(id)
    if (fact === undefined || (verdict !== 'supports' && verdict !== 'contradicts')) continue
    const side = verdict === 'supports' ? own.side : own.side === 0 ? 1 : 0
    add(lines, judgedLine(fact, { side, strength, isByPerson: by === 'person' }, weighing))
  }
  return [...lines.values()]
}
