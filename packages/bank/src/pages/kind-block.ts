import type { FactState } from '../facts/fact-registry.ts'
import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import type { FactKind } from '../retain/fact.ts'
import { compareText } from '../retain/compare-text.ts'
import type { BlockSection } from './block-content.ts'
import { isClosed, newestFirst, type Statement, statementsOf } from './page-facts.ts'
import { itemOf } from './page-item.ts'
import { opinionItem, type PageOpinion } from './page-opinion.ts'

export const WORLD_PAGE = 'bank/world.md'
export const EXPERIENCE_PAGE = 'bank/experience.md'
export const OPINIONS_PAGE = 'bank/opinions.md'

const KINDS: Readonly<Record<string, readonly (readonly [FactKind, string | undefined])[]>> = {
  [WORLD_PAGE]: [['world', undefined]],
  [EXPERIENCE_PAGE]: [
    ['experience', undefined],
    ['observation', 'Observations'],
  ],
}

export interface KindBlockOptions {
  /** Keys of the entities that have a page: facts that name one stand there. */
  readonly paged: ReadonlySet<string>
  /** Ids of facts that a person deleted from this page. */
  readonly deleted: ReadonlySet<string>
  /** Most statements of a kind; older ones are counted. */
  readonly mostListed: number
}

/** The facts of a kind that stand on no page of an entity and still hold, the newest first. */
export function kindSections(path: string, state: FactState, options: KindBlockOptions): readonly BlockSection[] {
  const page = path === EXPERIENCE_PAGE ? 'experience' : 'world'
  return (KINDS[path] ?? []).map(([kind, title]) => {
    const isHere = (fact: IndexedFact): boolean =>
      fact.kind === kind &&
      !fact.isCopy &&
      !options.deleted.has(fact.id) &&
      !isClosed(fact, state) &&
      !isPaged(fact, state, options)
    const all = statementsOf(state.facts.filter(isHere), state)
      .filter((statement: Statement) => statement.some((fact) => fact.path !== path))
      .toSorted(newestFirst)
    const items = all.slice(0, options.mostListed).map((statement) => itemOf(statement, { state, page }))
    const older = all.length - items.length
    return { title, items, remark: older === 0 ? undefined : `${older} older statements stand in the notes alone.` }
  })
}

function isPaged({ entities, mentions }: IndexedFact, state: FactState, { paged }: KindBlockOptions): boolean {
  return [...entities, ...mentions].some(({ key }) => paged.has(state.entities.find(key)?.key ?? key))
}

/** All opinions that stand, those about one entity together; then those that were retracted. A new number moves no line. */
export function opinionSections(opinions: readonly PageOpinion[], deleted: ReadonlySet<string>): readonly BlockSection[] {
  const listed = opinions.filter(({ id, facts = [id] }) => !facts.every((fact) => deleted.has(fact))).toSorted(byEntity)
  const retracted = listed.filter(({ state }) => state === 'retracted')
  const standing = listed.filter(({ state }) => state !== 'retracted')
  return [{ items: standing.map(opinionItem) }, { title: 'Retracted', items: retracted.map(opinionItem) }]
}

function byEntity(left: PageOpinion, right: PageOpinion): number {
  return compareText(namesOf(left), namesOf(right)) || compareText(left.id, right.id)
}

function namesOf({ entities }: PageOpinion): string {
  return entities.map(({ key }) => key).join(' ')
}
