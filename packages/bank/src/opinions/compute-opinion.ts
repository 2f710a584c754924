import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import { contentKey, factId } from '../retain/fact-id.ts'
import { shownConfidence, type WeighedGroup } from './confidence.ts'
import { countedLine, groupsOf, type SessionOf, type Side, type WeighedLine } from './groups.ts'
import type { Anchor, DeletedOpinion, Evidence, EvidenceReason, Opinion, RecordedAnchor } from './opinion.ts'
import { isOwnLine, pageAnchors } from './own-line.ts'
import { compareAge, sourceDayOf } from './source-day.ts'

/** A line about one statement or its negation. */
export interface GatheredLine {
  readonly fact: IndexedFact
  /** 0: says the same as the first statement found; 1: says the opposite. */
  readonly side: 0 | 1
  readonly weight: number
  readonly why: EvidenceReason
  readonly isExplicit: boolean
  /** Facts that struck, corrected, replaced or retracted it; itself where it is struck through. */
  readonly withdrawnBy: readonly IndexedFact[]
}

/** All that one opinion is computed from, of whatever days. */
export interface OpinionInput {
  readonly lines: readonly GatheredLine[]
  /** The id of its line on the page, where an edit gave its statement another. */
  readonly keptId?: string
  readonly anchors: readonly RecordedAnchor[]
  readonly sessionOf: SessionOf
  /** The day from which a number counts that was typed and not yet recorded. */
  readonly today?: string | undefined
  readonly replacedBy?: string
}

const NEWEST = 5
const UNRATED = 0.5

const inputs = new WeakMap<Opinion, OpinionInput>()

/** The opinion as it was at the end of a day, or is with all that is known; undefined where nobody had stated it. */
export function computeOpinion(input: OpinionInput, until?: string): Opinion | undefined {
  const lines = input.lines.filter(({ fact }) => isUntil(fact, until))
  const statements = lines.filter(({ fact, why }) => isStatement(fact, why))
  const own = ownLineOf(statements, until)
  if (own === undefined) return undefined
  const id = input.keptId ?? undatedId(own.fact)
  const anchors = anchorsOf(own, id, { input, until, statements })
  const [anchor] = anchors
  if (anchor === undefined) return undefined
  const weighed = lines.map((line) => weighedLine(line, own, until))
  const others = weighed.filter(({ fact }) => fact !== own.fact || !isOwnLine(fact))
  const isTaken = takenBy(anchor, own, weighed)
  const counted = groupsOf(others, input.sessionOf).flatMap((group) => countedOf(group, isTaken))
  const sides = { for: sideOf(counted, 'for'), against: sideOf(counted, 'against') }
  const evidence = { for: sides.for.map(weightOfGroup), against: sides.against.map(weightOfGroup) }
  const said = weighed.filter(({ side, fact }) => side === 'for' && sourceDayOf(fact) !== undefined)
  const lastConfirmed = newestDay(said.filter(({ weight, fact }) => weight > 0 || fact === own.fact).map(({ fact }) => fact))
  const lastUpdated = latest([newestDay(counted.map(({ fact }) => fact)), anchor.day ?? sourceDayOf(own.fact)])
  const opinion: Opinion = {
    id,
    statement: own.fact.content,
    entities: own.fact.entities,
    confidence: shownConfidence(anchor, evidence),
    isRated: anchor.isStated || counted.length > 0,
    anchor,
    groups: { for: sides.for.length, against: sides.against.length },
    evidence: { for: listed(withOwn(sides.for, own, weighed)), against: listed(sides.against) },
    ...(lastUpdated !== undefined && { lastUpdated }),
    ...(lastConfirmed !== undefined && { lastConfirmed }),
    state: stateOf(own, counted, { input, until }),
    ...(input.replacedBy !== undefined && { replacedBy: input.replacedBy }),
    line: own.fact,
  }
  inputs.set(opinion, input)
  return opinion
}

/** Id of the fact as its undated line on the page has it. */
export function undatedId({ entities, content }: IndexedFact): string {
  return factId({ kind: 'opinion', entities, content })
}

/** Confidence at the end of every day on which something moved it, in order. Undated evidence counts from the first. */
export function curveOf(opinion: Opinion): readonly { readonly day: string; readonly confidence: number }[] {
  const input = inputs.get(opinion)
  if (input === undefined) throw new TypeError('curveOf takes an opinion that opinionsOf has computed, not a copy of one.')
  const days = new Set<string>()
  for (const { fact, withdrawnBy } of input.lines)
    for (const one of [fact, ...withdrawnBy])
      for (const day of [one.days?.from, one.stated?.day]) if (day !== undefined) days.add(day)
  for (const { day } of input.anchors) days.add(day)
  if (input.today !== undefined && opinion.anchor.day === input.today) days.add(input.today)
  const points: { day: string; confidence: number }[] = []
  for (const day of [...days].sort()) {
    const confidence = computeOpinion(input, day)?.confidence
    if (confidence !== undefined && confidence !== points.at(-1)?.confidence) points.push({ day, confidence })
  }
  return points
}

/** Whether a deleted opinion may come back: it has evidence that it did not have when it was deleted. */
export function hasNewEvidence(opinion: Opinion, { evidence }: DeletedOpinion): boolean {
  const known = new Set(evidence)
  return (inputs.get(opinion)?.lines ?? []).some(
    ({ fact, weight }) => weight > 0 && !isOwnLine(fact) && !fact.isCopy && !known.has(fact.id),
  )
}

/** The facts that say the statement or its negation, or speak about it. */
export function linesOfOpinion(opinion: Opinion): readonly GatheredLine[] {
  return inputs.get(opinion)?.lines ?? []
}

function isUntil({ days }: IndexedFact, until: string | undefined): boolean {
  return until === undefined || days === undefined || days.from <= until
}

function isStatement({ kind }: IndexedFact, why: EvidenceReason): boolean {
  return kind === 'opinion' && why === 'same statement'
}

/** The line of the page, else the oldest that still stands, else the oldest that was taken back; copies come last. */
function ownLineOf(statements: readonly GatheredLine[], until: string | undefined): GatheredLine | undefined {
  const rank = (line: GatheredLine): number =>
    isOwnLine(line.fact) ? 0 : Number(line.fact.isCopy) * 2 + 1 + Number(isWithdrawn(line, until)) * 4
  return statements.toSorted((left, right) => rank(left) - rank(right) || compareOrigins(left.fact, right.fact))[0]
}

/** The oldest first; a line without a day is a copy of a dated one. */
function compareOrigins(left: IndexedFact, right: IndexedFact): number {
  return Number(left.days === undefined) - Number(right.days === undefined) || compareAge(left, right)
}

function isWithdrawn({ withdrawnBy }: GatheredLine, until: string | undefined): boolean {
  return withdrawnBy.some((fact) => isUntil(fact, until))
}

interface Around {
  readonly input: OpinionInput
  readonly until: string | undefined
  readonly statements: readonly GatheredLine[]
}

/** The numbers that were stated by a day, the one that holds first. */
function anchorsOf(own: GatheredLine, id: string, { input, until, statements }: Around): readonly Anchor[] {
  const isMade = ({ day }: Pick<Anchor, 'day'>): boolean => until === undefined || day === undefined || day <= until
  const recorded = input.anchors
    .filter((anchor) => anchor.opinion === id && isMade(anchor))
    .toSorted((left, right) => (left.day < right.day ? 1 : -1))
    .map(({ confidence, day, absorbed }): Anchor => {
      return { confidence, day, isByPerson: true, isStated: true, isTyped: true, absorbed }
    })
  const origin = statements
    .filter(({ fact, side }) => !isOwnLine(fact) && side === own.side)
    .map(({ fact }) => fact)
    .toSorted(compareOrigins)[0]
  const first = origin === undefined ? [] : [originAnchor(origin)]
  if (!isOwnLine(own.fact)) return [...recorded, ...first]
  const { stated, typed } = pageAnchors(own.fact)
  const unstated = stated === undefined && typed === undefined ? (first[0] ?? originAnchor(own.fact)) : undefined
  const now = typed === undefined ? undefined : typedNow(typed, origin, { input, until })
  const page = [now, stated, unstated].flatMap((anchor) => anchor ?? [])
  return [...page.filter(isMade), ...recorded, ...first]
}

/**
 * A number that nobody has recorded yet was typed today, over a computed one; on earlier days it was not there. It takes the opinion's first
 * statement into account as well.
 */
function typedNow(
  typed: Anchor,
  origin: IndexedFact | undefined,
  { input: { today }, until }: Pick<Around, 'input' | 'until'>,
): Anchor | undefined {
  if (!typed.isTyped) return typed
  if (until !== undefined && today === undefined) return undefined
  const absorbed = [...new Set([...typed.absorbed, ...(origin === undefined ? [] : [origin.id])])]
  return { ...typed, absorbed, ...(today !== undefined && { day: today }) }
}

function originAnchor(fact: IndexedFact): Anchor {
  const day = sourceDayOf(fact)
  return {
    confidence: fact.confidence ?? UNRATED,
    isByPerson: fact.author === 'person',
    isStated: fact.confidence !== undefined,
    ...(day !== undefined && { day }),
    isTyped: false,
    absorbed: [],
  }
}

function weighedLine(line: GatheredLine, own: GatheredLine, until: string | undefined): WeighedLine {
  const { fact, weight, why, isExplicit } = line
  const side: Side = line.side === own.side ? 'for' : 'against'
  const isSame = why === 'same statement'
  // Without a day nothing tells the same words from a copy of the opinion's own.
  const isEcho = isSame && side === 'for' && !isExplicit && fact !== own.fact && sourceDayOf(fact) === undefined
  return {
    fact,
    side,
    weight: isEcho || isWithdrawn(line, until) ? 0 : weight,
    why: isSame ? (side === 'for' ? 'same statement' : 'negation') : why,
    isExplicit,
  }
}

/** Whether a line's origin is in the anchor already: the opinion's own statement, or absorbed when a number was typed. */
function takenBy(
  anchor: Anchor,
  own: GatheredLine,
  weighed: readonly WeighedLine[],
): (fact: IndexedFact) => 'absorbed' | 'own' | undefined {
  const absorbed = new Set(anchor.absorbed)
  const key = contentKey(own.fact.content)
  const said = weighed.filter(({ why, fact }) => why === 'same statement' && !isOwnLine(fact)).map(({ fact }) => fact)
  const oldest = said.filter((fact) => contentKey(fact.content) === key).toSorted(compareOrigins)[0]
  const isByDay = anchor.day !== undefined && absorbed.size === 0
  const ownFacts = new Set<IndexedFact>([own.fact])
  if (isByDay) for (const fact of said) if (sourceDayOf(fact) === anchor.day) ownFacts.add(fact)
  if (anchor.day === undefined && absorbed.size === 0 && oldest !== undefined) ownFacts.add(oldest)
  return (fact) => (absorbed.has(fact.id) ? 'absorbed' : ownFacts.has(fact) ? 'own' : undefined)
}

/** The line that counts for a group, none where the anchor holds it; an own group that turned against its statement counts so. */
function countedOf(
  group: readonly WeighedLine[],
  isTaken: (fact: IndexedFact) => 'absorbed' | 'own' | undefined,
): readonly WeighedLine[] {
  const taken = group.map(({ fact }) => isTaken(fact))
  const line = countedLine(group)
  if (line === undefined || taken.includes('absorbed')) return []
  return taken.includes('own') && line.side === 'for' ? [] : [line]
}

function sideOf(counted: readonly WeighedLine[], wanted: Side): readonly WeighedLine[] {
  return counted.filter(({ side }) => side === wanted).toSorted((left, right) => compareAge(right.fact, left.fact))
}

function weightOfGroup({ weight, fact }: WeighedLine): WeighedGroup {
  return { weight, isByPerson: fact.author === 'person' }
}

function listed(lines: readonly WeighedLine[]): readonly Evidence[] {
  return lines.map(({ fact, weight, why }) => ({ fact, weight, why }))
}

/** The opinion's first statement stands with what speaks for it, and counts nothing. */
function withOwn(supports: readonly WeighedLine[], own: GatheredLine, weighed: readonly WeighedLine[]): readonly WeighedLine[] {
  const said = weighed.filter(({ why, side }) => why === 'same statement' && side === 'for').map(({ fact }) => fact)
  const first = said.filter((fact) => !isOwnLine(fact)).toSorted(compareOrigins)[0] ?? own.fact
  if (supports.some(({ fact }) => fact === first)) return supports
  return [...supports, { fact: first, side: 'for', weight: 0, why: 'own line', isExplicit: false }]
}

function stateOf(
  own: GatheredLine,
  counted: readonly WeighedLine[],
  { input, until }: Pick<Around, 'input' | 'until'>,
): Opinion['state'] {
  if (input.replacedBy !== undefined || isClosed(own, { input, until })) return 'retracted'
  const newest = counted.toSorted((left, right) => compareAge(right.fact, left.fact)).slice(0, NEWEST)
  return newest.length === NEWEST && newest.every(({ side }) => side === 'against') ? 'turning' : 'open'
}

/** A statement that was taken back stays so until somebody says it again. */
function isClosed(own: GatheredLine, { input, until }: Pick<Around, 'input' | 'until'>): boolean {
  if (!isWithdrawn(own, until)) return false
  const isStruck = own.withdrawnBy.includes(own.fact)
  const again = input.lines.some(
    (line) =>
      isStatement(line.fact, line.why) &&
      line.side === own.side &&
      !line.fact.isCopy &&
      line.fact.days !== undefined &&
      isUntil(line.fact, until) &&
      !isWithdrawn(line, until),
  )
  return isStruck || !again
}

function newestDay(facts: readonly IndexedFact[]): string | undefined {
  return latest(facts.map(sourceDayOf))
}

function latest(days: readonly (string | undefined)[]): string | undefined {
  return days
    .filter((day) => day !== undefined)
    .toSorted()
    .at(-1)
}
