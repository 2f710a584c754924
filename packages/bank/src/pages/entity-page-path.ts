import { entityKey, parseDocument } from '@mnemark/core/document'
import { sha256 } from '@mnemark/spec'
import type { Entity } from '../entities/entities.ts'
import { entityPageOf } from '../entities/entity-page.ts'
import { entitySlug } from '../entities/slug.ts'
import { factsByEntity } from '../facts/facts-by-entity.ts'
import type { FactState } from '../facts/fact-registry.ts'

const FOLDER = 'bank/entities/'
const LEAST_FACTS = 3
const LEAST_DAYS = 2

/** An entity and the path of the page that it has or gets. */
export interface PagedEntity {
  readonly entity: Entity
  readonly path: string
  /** True where three facts on at least two days, or a request, ask for a page. */
  readonly isDue: boolean
}

/**
 * The entities with a page, and those that get one: three facts on at least two days, or a name in `requested`. A file name that another entity
 * has, or that would read as another one's name, gets a hash behind it.
 */
export function pagedEntities(state: FactState, requested: readonly string[] = []): readonly PagedEntity[] {
  const asked = new Set(requested.flatMap((name) => state.entities.find(name)?.key ?? []))
  const all = state.entities.all()
  const taken = new Set(all.flatMap(({ page }) => (page === undefined ? [] : [entityKey(page)])))
  return all.flatMap((entity) => {
    const isDue = asked.has(entity.key) || isKnownEnough(entity, state)
    if (entity.page !== undefined) return [{ entity, path: entity.page, isDue }]
    if (!isDue) return []
    const path = freePath(entity, state, taken)
    taken.add(entityKey(path))
    return [{ entity, path, isDue }]
  })
}

function isKnownEnough({ key }: Entity, state: FactState): boolean {
  const facts = (factsByEntity(state).get(key) ?? []).filter(({ isCopy, state: own }) => !isCopy && own === undefined)
  const ids = new Set(facts.map(({ id }) => id))
  const days = new Set(facts.flatMap(({ days: own }) => own?.from ?? []))
  return ids.size >= LEAST_FACTS && days.size >= LEAST_DAYS
}

function freePath(entity: Entity, { entities }: FactState, taken: ReadonlySet<string>): string {
  const slug = entitySlug(entity.name)
  const path = `${FOLDER}${slug}.md`
  const names = [slug, slug.replaceAll('-', ' ')].map(entityKey)
  const isOthers = names.some((name) => entities.all().some((other) => other.key !== entity.key && other.keys.includes(name)))
  return isOthers || taken.has(entityKey(path)) ? `${FOLDER}${slug}-${sha256(entity.key).slice(0, 6)}.md` : path
}

/** The page before its first block: a heading, or a title in front matter where a heading would read as another name. */
export function newPage({ name, key }: Entity, path: string): string {
  const plain = name.replace(/\s+/g, ' ')
  const headed = `# ${plain}\n`
  const { name: read } = entityPageOf(path, parseDocument({ source: 'memory', path }, { text: headed }))
  return entityKey(read) === key ? headed : `---\ntitle: ${JSON.stringify(plain)}\n---\n`
}
