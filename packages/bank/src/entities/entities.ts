import { entityKey } from '@mnemark/core/document'
import type { FactEntity } from '../retain/fact.ts'
import { pageName } from '../retain/line/read-entity.ts'
import { type EntityPage, keysOfPage } from './entity-page.ts'
import { entitySlug } from './slug.ts'

/** One person, place or thing: all names that are declared to mean it. */
export interface Entity {
  /** The form in which its name is compared: the first of `keys`. */
  readonly key: string
  /** As its page writes it, else as the first fact does. */
  readonly name: string
  /** The file name that its page has or would have. */
  readonly slug: string
  readonly aliases: readonly string[]
  readonly keys: readonly string[]
  /** Path of its page. */
  readonly page?: string
  readonly type?: string
}

/** Two pages of the bank that claim one name: the first by path has it. */
export interface EntityConflict {
  readonly key: string
  readonly paths: readonly [string, string]
}

interface Group {
  readonly page?: EntityPage
  /** Every page with a name of it, those that add none included. */
  readonly pages: EntityPage[]
  readonly keys: Set<string>
  readonly names: Map<string, string>
}

const POSSESSIVE = /(?:['’]s|(?<=s)['’]|さん|くん|ちゃん|様|氏|씨|님|的|،)$/u

/** Names that several pages outside the bank have, such as the title `Notes`: they name none of them. */
function sharedOutside(pages: readonly EntityPage[]): ReadonlySet<string> {
  const [seen, shared] = [new Set<string>(), new Set<string>()]
  for (const page of pages.filter(({ isOwn }) => !isOwn)) {
    for (const key of keysOfPage(page)) {
      if (seen.has(key)) shared.add(key)
      seen.add(key)
    }
  }
  return shared
}

/** Pages of the bank come first, those that a merge left behind after what they lead to, which may be another of their kind; other pages last. */
function bankFirst(pages: readonly EntityPage[]): readonly EntityPage[] {
  const order = pages.filter(({ redirect, isOwn }) => isOwn && redirect === undefined)
  const waiting = new Set(pages.filter(({ redirect, isOwn }) => isOwn && redirect !== undefined))
  const names = new Set(order.flatMap(keysOfPage))
  while (waiting.size > 0) {
    const ready = [...waiting].filter(({ redirect = '' }) => names.has(entityKey(redirect)))
    // A page that leads nowhere, or round in a circle, begins an entity of its own.
    for (const page of ready.length > 0 ? ready : [...waiting].slice(0, 1)) {
      for (const key of keysOfPage(page)) names.add(key)
      order.push(page)
      waiting.delete(page)
    }
  }
  return [...order, ...pages.filter(({ isOwn }) => !isOwn)]
}

/**
 * The entities that pages declare and facts name. Two names are one entity only where their folded forms are equal or a
 * page declares both; nothing else joins them.
 */
export class Entities {
  readonly #byKey = new Map<string, Group>()
  readonly #made = new Map<Group, Entity>()
  readonly #pages: readonly EntityPage[]
  readonly #named: ReadonlyMap<string, string>
  #all: readonly Entity[] | undefined
  readonly conflicts: readonly EntityConflict[]

  constructor(pages: Iterable<EntityPage>, named: Iterable<Pick<FactEntity, 'name' | 'key'>>) {
    const conflicts: EntityConflict[] = []
    this.#pages = [...pages].sort((left, right) => (left.path < right.path ? -1 : 1))
    const shared = sharedOutside(this.#pages)
    for (const page of bankFirst(this.#pages)) this.#addPage(page, { conflicts, shared })
    const names = new Map<string, string>()
    for (const { name, key } of named) if (!names.has(key)) names.set(key, name)
    this.#named = names
    for (const [key, name] of names) this.#addName(name, key)
    this.conflicts = conflicts
  }

  /** The same with this state of one page. */
  withPage(page: EntityPage): Entities {
    const pages = [...this.#pages.filter(({ path }) => path !== page.path), page]
    return new Entities(
      pages,
      [...this.#named].map(([key, name]) => ({ key, name })),
    )
  }

  /** The same with more names that facts write. */
  withNames(named: Iterable<Pick<FactEntity, 'name' | 'key'>>): Entities {
    return new Entities(this.#pages, [...[...this.#named].map(([key, name]) => ({ key, name })), ...named])
  }

  /** Every page that has a name of this entity, its own first. */
  pagesOf(entity: Entity): readonly EntityPage[] {
    return this.#byKey.get(entity.key)?.pages ?? []
  }

  #addPage(
    page: EntityPage,
    { conflicts, shared }: { readonly conflicts: EntityConflict[]; readonly shared: ReadonlySet<string> },
  ): void {
    const file = entityKey(pageName(page.path))
    const keys = keysOfPage(page).filter((key) => page.isOwn || key === file || !shared.has(key))
    const target = page.redirect === undefined ? undefined : this.#byKey.get(entityKey(page.redirect))
    const known = target ?? keys.map((key) => this.#byKey.get(key)).find((group) => group !== undefined)
    known?.pages.push(page)
    // A page outside the bank adds no name to an entity that the bank declares.
    if (known !== undefined && !page.isOwn) return
    const clash = page.redirect === undefined ? known?.page : undefined
    if (clash !== undefined) {
      conflicts.push({ key: keys.find((key) => this.#byKey.get(key) === known) ?? '', paths: [clash.path, page.path] })
    }
    const group = known ?? { page, pages: [page], keys: new Set<string>(), names: new Map<string, string>() }
    const names = [page.name, ...page.aliases]
    for (const key of keys) {
      if (this.#byKey.has(key)) continue
      this.#byKey.set(key, group)
      group.keys.add(key)
      const name = names.find((one) => entityKey(one) === key)
      if (name !== undefined) group.names.set(key, name)
    }
  }

  #addName(name: string, key: string): void {
    if (key === '' || this.#resolved(key) !== undefined) return
    this.#byKey.set(key, { pages: [], keys: new Set([key]), names: new Map([[key, name]]) })
  }

  #resolved(key: string): Group | undefined {
    return this.#byKey.get(key) ?? this.#byKey.get(key.replace(POSSESSIVE, ''))
  }

  /** The entity of a name as anybody writes it; an ending such as `'s` is cut only where the rest is a known name. */
  find(name: string): Entity | undefined {
    const group = this.#resolved(entityKey(name))
    return group && this.#entityOf(group)
  }

  /** Whether two names mean one entity. */
  areOne(left: string, right: string): boolean {
    const [one, other] = [entityKey(left), entityKey(right)]
    const group = this.#resolved(one)
    return one === other || (group !== undefined && group === this.#resolved(other))
  }

  /** All of them, by key. */
  all(): readonly Entity[] {
    this.#all ??= [...new Set(this.#byKey.values())]
      .map((group) => this.#entityOf(group))
      .sort((left, right) => (left.key < right.key ? -1 : 1))
    return this.#all
  }

  #entityOf(group: Group): Entity {
    const known = this.#made.get(group)
    if (known !== undefined) return known
    const { page } = group
    const keys = [...group.keys]
    const name = page?.name ?? [...group.names.values()][0] ?? keys[0] ?? ''
    const key = group.keys.has(entityKey(name)) ? entityKey(name) : (keys[0] ?? '')
    const file = page?.isOwn === true ? page.path.slice(page.path.lastIndexOf('/') + 1).replace(/\.\w+$/, '') : undefined
    const entity = {
      key,
      name,
      slug: file ?? entitySlug(name),
      aliases: [...new Set(group.names.values())].filter((one) => one !== name),
      keys: [key, ...keys.filter((one) => one !== key)],
      ...(page !== undefined && { page: page.path }),
      ...(page?.type !== undefined && { type: page.type }),
    }
    this.#made.set(group, entity)
    return entity
  }
}
