import type { EntityDetails, FactRegistry, FactState, IndexedFact, ListedEntity } from '@mnemark/bank'
import { type CallerContext, type CallOptions, citationOf, type IndexViews } from '@mnemark/spec'
import type { Settings } from '../../config/load-settings.ts'
import { longTermFilter } from '../../memory/open/long-term.ts'

/** A fact as the list of an entity shows it. */
export interface ListedFact {
  readonly factId: string
  readonly kind: string
  readonly content: string
  /** `path#L12-L12` */
  readonly source: string
  /** First and last valid day, YYYY-MM-DD; without `until` it still holds. */
  readonly timestamp?: string
  readonly until?: string
  readonly confidence?: number
  readonly author: string
}

/** Whom and what facts name; with a name one entity and what is known of it. */
export interface NamesDocument {
  readonly entities: readonly ListedEntity[]
  readonly facts?: readonly ListedFact[]
  readonly suggestions?: EntityDetails['suggestions']
  /** Names like one that nobody has. */
  readonly near?: readonly string[]
}

export interface Naming extends CallOptions {
  readonly views: IndexViews
  readonly settings: Pick<Settings, 'namingScopes'>
  readonly caller: CallerContext
  /** Kept between questions by processes that answer many. */
  readonly registry?: FactRegistry | undefined
}

/** The facts that the caller may see, by the index as it is now; `stale` where it could not be brought up to date at once. */
export async function readFactState(naming: Naming): Promise<{ readonly state: FactState; readonly stale: boolean }> {
  const { views, settings, caller, signal } = naming
  const registry = naming.registry ?? new (await import('@mnemark/bank')).FactRegistry()
  return views.withIndex(
    async ({ snapshot, stale }) => ({ state: await registry.read(snapshot, longTermFilter(settings, caller)), stale }),
    { ...(signal !== undefined && { signal }) },
  )
}

/** Lists all entities, or describes the one of a name. `isMasking` hides secrets. */
export async function listNames(state: FactState, name = '', isMasking = false): Promise<NamesDocument> {
  const { findEntity, listEntities, nearEntities } = await import('@mnemark/bank')
  if (name.trim() === '') return { entities: listEntities(state) }
  const found = findEntity(state, name)
  if (found === undefined) return { entities: [], facts: [], suggestions: [], near: nearEntities(state, name) }
  const { known, suggestions, ...entity } = found
  const facts = known.map(factOf)
  return { entities: [entity], facts: isMasking ? await Promise.all(facts.map(masked)) : facts, suggestions, near: [] }
}

function factOf({ id, kind, content, days, confidence, author, path, startLine, endLine }: IndexedFact): ListedFact {
  return {
    factId: id,
    kind,
    content,
    source: citationOf(path, startLine, endLine),
    ...(days !== undefined && { timestamp: days.from, ...(days.isOpen !== true && { until: days.to ?? days.from }) }),
    ...(confidence !== undefined && { confidence }),
    author,
  }
}

async function masked(fact: ListedFact): Promise<ListedFact> {
  const { maskText } = await import('@mnemark/masking')
  return { ...fact, content: await maskText(fact.content) }
}
