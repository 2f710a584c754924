import { entityKey } from '@mnemark/core/document'
import type { FactEntity } from '../retain/fact.ts'
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
  readonly keys: Set<string>
  readonly names: Map<string, string>
}

const POSSESSIVE = /(?:['’]s|(?<=s)['’]|さん|くん|ちゃん|様|氏|씨|님|的|،)$/u

/** Pages of the bank come first, those that a merge left behind after them, other pages last. */
function rankOf({ isOwn, redirect }: EntityPage): number {
  return isOwn ? Number(redirect !== undefined) : 2
}

/**
 * The entities that pages declare and facts name. Two names are one entity only where their folded forms are equal or a
 * page declares both; nothing else joins them.
 */
export class Entities {
  readonly #byKey = new Map<string, Group>()
  readonly #made = new Map<Group, Entity>()
  #all: readonly Entity[] | undefined
  readonly conflicts: readonly EntityConflict[]

  constructor(pages: Iterable<EntityPage>, named: Iterable<FactEntity>) {
    const conflicts: EntityConflict[] = []
    const order = [...pages].sort((left, right) => rankOf(left) - rankOf(right) || (left.path < right.path ? -1 : 1))
    for (const page of order) this.#addPage(page, conflicts)
    for (const { name, key } of named) this.#addName(name, key)
    this.conflicts = conflicts
  }

  #addPage(page: EntityPage, conflicts: EntityConflict[]): void {
    const keys = keysOfPage(page)
    const known = keys.map((key) => this.#byKey.get(key)).find((group) => group !== undefined)
    // A page outside the bank adds no name to an entity that the bank declares.
    if (known !== undefined && !page.isOwn) return
    const clash = page.redirect === undefined ? known?.page : undefined
    if (clash !== undefined) {
      conflicts.push({ key: keys.find((key) => this.#byKey.get(key) === known) ?? '', paths: [clash.path, page.path] })
    }
    const group = known ?? { page, keys: new Set<string>(), names: new Map<string, string>() }
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
    this.#byKey.set(key, { keys: new Set([key]), names: new Map([[key, name]]) })
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
