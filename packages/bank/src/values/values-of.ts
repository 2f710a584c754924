import { dayBefore } from '@mnemark/spec'
import type { Correction } from '../facts/corrections.ts'
import type { FactState } from '../facts/fact-registry.ts'
import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import type { Slot } from '../facts/slots.ts'
import { contentKey } from '../retain/fact-id.ts'
import { readValue } from './read-value.ts'
import type { SlotValue } from './slot-value.ts'
import { compareText } from '../retain/compare-text.ts'

/** One line that states a value or ends one. */
interface Statement {
  readonly fact: IndexedFact
  readonly slot: Slot
  readonly value: string
  readonly isEnd: boolean
}

/**
 * The values of declared slots over time, by entity and slot, each list in the order of its days, undated ones first. The newer dated value ends
 * the older one, whatever came into the index first; a range of days ends by itself and interrupts an open value; a correction or a retraction
 * voids a value, but not one by an agent of what a person wrote. Nothing else ends anything.
 */
export function valuesOf(state: FactState): readonly SlotValue[] {
  const values = known.get(state) ?? computed(state)
  known.set(state, values)
  return values
}

const known = new WeakMap<FactState, readonly SlotValue[]>()

function computed(state: FactState): readonly SlotValue[] {
  const groups = new Map<string, { readonly entity: string; readonly slot: string; readonly statements: Statement[] }>()
  for (const fact of state.facts) {
    if (fact.isCopy || fact.state !== undefined || state.slots.length === 0) continue
    for (const entity of subjectsOf(fact, state)) {
      const slots = state.slots.filter((slot) => slot.entity === undefined || state.entities.areOne(slot.entity, entity))
      const stated = slots.length === 0 ? undefined : readValue(fact.content, slots)
      if (stated === undefined) continue
      const key = groupKey({ entity, slot: stated.slot.name })
      const group = groups.get(key) ?? { entity, slot: stated.slot.name, statements: [] }
      groups.set(key, group)
      group.statements.push({ fact, ...stated })
    }
  }
  return [...groups.values()]
    .sort((left, right) => compareText(left.entity, right.entity) || compareText(left.slot, right.slot))
    .flatMap(({ entity, slot, statements }) => closed(entity, slot, statements, state.corrections.of))
}

interface ValueIndex {
  readonly byFact: ReadonlyMap<IndexedFact, readonly SlotValue[]>
  readonly byGroup: ReadonlyMap<string, readonly SlotValue[]>
}

const indexes = new WeakMap<readonly SlotValue[], ValueIndex>()

function indexOf(values: readonly SlotValue[]): ValueIndex {
  const made = indexes.get(values)
  if (made !== undefined) return made
  const byFact = new Map<IndexedFact, SlotValue[]>()
  const byGroup = new Map<string, SlotValue[]>()
  const add = <Key>(groups: Map<Key, SlotValue[]>, key: Key, value: SlotValue): void => {
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  for (const value of values) {
    add(byGroup, groupKey(value), value)
    for (const fact of value.facts) add(byFact, fact, value)
  }
  const index = { byFact, byGroup }
  indexes.set(values, index)
  return index
}

function groupKey({ entity, slot }: Pick<SlotValue, 'entity' | 'slot'>): string {
  return JSON.stringify([entity, slot])
}

/** The values that a fact states: of each entity of its head one. */
export function valuesOfFact(values: readonly SlotValue[], fact: IndexedFact): readonly SlotValue[] {
  return indexOf(values).byFact.get(fact) ?? []
}

/** All values of the same entity and slot, in the order of their days. */
export function timelineOf(values: readonly SlotValue[], value: Pick<SlotValue, 'entity' | 'slot'>): readonly SlotValue[] {
  return indexOf(values).byGroup.get(groupKey(value)) ?? []
}

/** The value that held on a day: of those that cover it, the one that began last. Undated ones count where no other does. */
export function valueOn(values: readonly SlotValue[], day: string): SlotValue | undefined {
  const held = values.filter(({ from, to, isVoid }) => !isVoid && (from ?? '') <= day && (to === undefined || to >= day))
  return held.toSorted((left, right) => compareText(right.from ?? '', left.from ?? '')).at(0)
}

/** Keys of the entities that a fact is about: those of its head. */
function subjectsOf({ entities }: IndexedFact, state: FactState): readonly string[] {
  return [...new Set(entities.map(({ key }) => state.entities.find(key)?.key ?? key))]
}

function closed(
  entity: string,
  slot: string,
  statements: readonly Statement[],
  corrections: ReadonlyMap<IndexedFact, readonly Correction[]>,
): readonly SlotValue[] {
  const ordered = statements.toSorted(byDay)
  const values: SlotValue[] = []
  for (const statement of ordered) {
    const { fact, value, isEnd } = statement
    if (isEnd) {
      endOpen(values, fact, value)
      continue
    }
    const void_ = correctionOf(fact, corrections)
    const next: SlotValue = {
      slot,
      entity,
      value,
      facts: [fact],
      isVoid: void_ !== undefined && void_.verb !== 'supersedes',
      ...(fact.days !== undefined && { from: fact.days.from }),
      ...endOf(fact, void_),
    }
    const goesOn = values.findIndex((one) => isSameOpen(one, next))
    const known = values[goesOn]
    if (known !== undefined) {
      values[goesOn] = { ...known, facts: [...known.facts, fact] }
      continue
    }
    if (!next.isVoid && next.to === undefined && fact.days !== undefined) closeOlder(values, next, fact)
    values.push(next)
  }
  return values
}

/** By first day; on one day by clock, place in the note, then id: never by the order of the index. */
function byDay(left: Statement, right: Statement): number {
  return (
    compareText(left.fact.days?.from ?? '', right.fact.days?.from ?? '') ||
    compareText(left.fact.clock ?? '', right.fact.clock ?? '') ||
    compareText(left.fact.path, right.fact.path) ||
    left.fact.startLine - right.fact.startLine ||
    compareText(left.fact.id, right.fact.id)
  )
}

function correctionOf(fact: IndexedFact, corrections: ReadonlyMap<IndexedFact, readonly Correction[]>): Correction | undefined {
  return corrections.get(fact)?.find(({ verb, isProposal }) => !isProposal && ENDING.has(verb))
}

const ENDING: ReadonlySet<string> = new Set(['corrects', 'supersedes', 'retracts'])

/** The last day that the fact names itself, or the day before what superseded it. */
function endOf({ days }: IndexedFact, ending: Correction | undefined): Pick<SlotValue, 'to' | 'closedBy'> {
  const own = days?.isOpen === true || days?.to === days?.from ? undefined : days?.to
  const superseded = ending?.by.days === undefined ? undefined : dayBefore(ending.by.days.from)
  const to = [own, superseded].filter((day) => day !== undefined).toSorted()[0]
  return { ...(to !== undefined && { to }), ...(ending !== undefined && { closedBy: ending.by }) }
}

function isSameOpen(one: SlotValue, next: SlotValue): boolean {
  return (
    one.to === undefined &&
    !one.isVoid &&
    !next.isVoid &&
    next.to === undefined &&
    contentKey(one.value) === contentKey(next.value)
  )
}

function closeOlder(values: SlotValue[], next: SlotValue, by: IndexedFact): void {
  for (const [at, one] of values.entries()) {
    if (one.to !== undefined || one.isVoid || one.from === undefined || next.from === undefined || one.from >= next.from) continue
    values[at] = { ...one, to: dayBefore(next.from), closedBy: by }
  }
}

/** "No longer lives in Oslo" ends Oslo, and nothing else. */
function endOpen(values: SlotValue[], by: IndexedFact, value: string): void {
  const { days } = by
  for (const [at, one] of values.entries())
    if (one.to === undefined && contentKey(one.value) === contentKey(value))
      values[at] = { ...one, closedBy: by, ...(days === undefined ? { isVoid: true } : { to: dayBefore(days.from) }) }
}
