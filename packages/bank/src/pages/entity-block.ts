import type { Entity } from '../entities/entities.ts'
import { factsByEntity } from '../facts/facts-by-entity.ts'
import type { FactState } from '../facts/fact-registry.ts'
import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import { compareText } from '../retain/compare-text.ts'
import type { FactKind } from '../retain/fact.ts'
import type { SlotValue } from '../values/slot-value.ts'
import { valuesOf } from '../values/values-of.ts'
import type { BlockItem, BlockSection } from './block-content.ts'
import { byAge, isClosed, newestFirst, type Statement, statementsOf } from './page-facts.ts'
import { itemOf } from './page-item.ts'
import { opinionOnPage, type PageOpinion } from './page-opinion.ts'

export interface EntityBlockOptions {
  readonly opinions?: readonly PageOpinion[] | undefined
  /** Ids of facts that a person deleted from this page. */
  readonly deleted?: ReadonlySet<string> | undefined
  /** Path of the page: a fact that stands on it outside the block is not said again. */
  readonly path: string
}

const TITLES: readonly (readonly [FactKind, string])[] = [
  ['opinion', 'Opinions'],
  ['world', 'World'],
  ['experience', 'Experience'],
  ['observation', 'Observations'],
]

/**
 * All that is known of an entity, for its page: declared slots with the value that holds and the earlier ones, then opinions, then facts by kind,
 * the newest first, then what holds no longer. Equal facts give equal sections, whatever came into the index first and on whatever day.
 */
export function entitySections(entity: Entity, state: FactState, options: EntityBlockOptions): readonly BlockSection[] {
  const { opinions = [], deleted = new Set(), path } = options
  const known = (factsByEntity(state).get(entity.key) ?? []).filter(({ isCopy, id }) => !isCopy && !deleted.has(id))
  const shown = new Set(known)
  const values = valuesOf(state).filter(({ entity: key, isVoid }) => key === entity.key && !isVoid)
  const slots = slotSections(values, shown, { state, subject: entity })
  const ofValues = new Set(values.flatMap(({ facts }) => facts))
  const own = opinions.filter(
    (opinion) => isOf(opinion, entity) && !(opinion.facts ?? [opinion.id]).every((id) => deleted.has(id)),
  )
  const stated = new Set(own.flatMap(({ facts = [] }) => facts))
  const rest = known.filter((fact) => !ofValues.has(fact) && !stated.has(fact.id))
  const closed = rest.filter((fact) => isClosed(fact, state))
  const open = rest.filter((fact) => !isClosed(fact, state))
  const said = (facts: readonly IndexedFact[]): readonly BlockItem[] =>
    statementsOf(facts, state)
      .filter((statement) => statement.some((fact) => fact.path !== path))
      .toSorted(newestFirst)
      .map((statement) => itemOf(statement, { state, page: 'world', subject: entity }))
  const kinds = TITLES.map(([kind, title]) => ({ title, items: said(open.filter((fact) => fact.kind === kind)) }))
  const [ofOpinions, ...ofFacts] = kinds
  return [
    ...slots,
    { title: 'Opinions', items: [...own.toSorted(byStatement).map(opinionOnPage), ...(ofOpinions?.items ?? [])] },
    ...ofFacts,
    { title: 'No longer holds', items: said(closed) },
  ]
}

function isOf({ entities, state }: PageOpinion, entity: Entity): boolean {
  return state !== 'retracted' && entities.some(({ key }) => entity.keys.includes(key))
}

/** Surest first. */
function byStatement(left: PageOpinion, right: PageOpinion): number {
  return right.confidence - left.confidence || compareText(left.id, right.id)
}

interface View {
  readonly state: FactState
  readonly subject: Entity
}

function slotSections(values: readonly SlotValue[], shown: ReadonlySet<IndexedFact>, view: View): readonly BlockSection[] {
  const slots = Map.groupBy(values, ({ slot }) => slot)
  return [...slots].flatMap(([slot, timeline]) => {
    const newest = timeline.toReversed()
    const held = newest.filter(({ to }) => to === undefined)
    const dated = new Set(held.flatMap(({ from }) => from ?? []))
    const clash = held.length > 1 && dated.size > 0 && held.every(({ from }) => from !== undefined)
    const title = clash ? `${slot}, ${held.length} values that contradict each other` : slot
    const items = (list: readonly SlotValue[]): readonly BlockItem[] => list.flatMap((value) => valueItems(value, shown, view))
    return [
      { title: plainTitle(title), items: items(held) },
      { title: plainTitle(`${slot}, earlier`), items: items(newest.filter(({ to }) => to !== undefined)) },
    ]
  })
}

/** A value that was stated in several words has a bullet for each. */
function valueItems(value: SlotValue, shown: ReadonlySet<IndexedFact>, { state, subject }: View): readonly BlockItem[] {
  const { from, to } = value
  const facts = value.facts.filter((fact) => shown.has(fact)).toSorted(byAge)
  const held = from === undefined ? undefined : to === undefined ? { from, isOpen: true } : { from, to }
  return statementsOf(facts, state).map((statement: Statement) => itemOf(statement, { state, page: 'world', subject, held }))
}

function plainTitle(title: string): string {
  return title.replace(/[*_<>`\s]+/g, ' ').trim()
}
