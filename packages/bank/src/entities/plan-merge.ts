import { entityKey, parseDocument } from '@mnemark/core/document'
import type { Entities, Entity } from './entities.ts'
import { type EntityPage, keysOfPage, storedEntityPage } from './entity-page.ts'
import { withAliases, withoutAliases, withoutRedirect, withRedirect } from './page-edits.ts'
import { UnreadableFrontMatter, yamlText } from './page-keys.ts'
import { mayBeOne } from './suggest-merges.ts'

export type MergeRefusalCode =
  | 'unknown-entity'
  | 'same-name'
  | 'differs'
  | 'unreadable-page'
  | 'unfit-name'
  | 'page-taken'
  | 'two-pages'
  | 'joined-by-page'

/** Why two names are not joined or parted. `next`: what to do about it. */
export interface MergeRefusal {
  readonly code: MergeRefusalCode
  readonly message: string
  readonly next: string
  /** The name that nobody has. */
  readonly unknown?: string
}

/** One edit of one page that joins two names, or parts them again. */
export interface MergePlan {
  /** The entity that keeps its page, and the name that joins or leaves it. */
  readonly winner: string
  readonly loser: string
  /** The page to edit; `creates`: it is made where it is not there. */
  readonly path: string
  readonly creates: boolean
  /** The new text of the page; '' stands for a page that is not there. */
  readonly edit: (text: string) => { readonly text: string; readonly entities: Entities } | MergeRefusal
}

/** `unchanged`: they are one, or two, already. */
export type MergeReading = MergePlan | MergeRefusal | 'unchanged'

export interface MergeOptions {
  /** Number of facts about an entity: of two with a page, and of two without, the one with more keeps its name. */
  readonly factsOf: (entity: Entity) => number
  /** Joins also names that differ in digits, and pages of different `type:`. */
  readonly isSure?: boolean | undefined
}

/**
 * Plans the one edit by which two names become one entity. The entity with a page below `bank/entities/` wins, else the one with more facts,
 * else the first. Its page gains the other's names as aliases and is made where there is none. Where both have a page, the loser's gains
 * `redirect:` and keeps its text.
 */
export function planMerge(entities: Entities, [first, second]: readonly [string, string], options: MergeOptions): MergeReading {
  const [left, right] = [entities.find(first), entities.find(second)]
  if (left === undefined || right === undefined) return unknownEntity(left === undefined ? first : second)
  if (entityKey(first) === entityKey(second)) return sameName(first, second)
  if (left === right) return 'unchanged'
  if (options.isSure !== true && !mayBeOne(left, right)) return differs(left, right)
  const [winner, loser] = inOrder(entities, [left, right], options)
  const names = { winner: winner.name, loser: loser.name }
  const losing = ownPage(entities, loser)
  const isDone = (after: Entities): boolean => [...winner.keys, ...loser.keys].every((key) => after.areOne(winner.key, key))
  if (losing !== undefined) {
    const other = entities
      .pagesOf(loser)
      .find(({ path, isOwn, redirect }) => isOwn && redirect === undefined && path !== losing.path)
    if (other !== undefined) return twoPages(loser, [losing.path, other.path])
    const edit = (text: string): ReturnType<MergePlan['edit']> =>
      checked({ entities, path: losing.path, before: text, isDone, texts: withRedirect(text, winner.name) })
    return { ...names, path: losing.path, creates: false, edit }
  }
  const own = ownPage(entities, winner)
  const path = own?.path ?? `bank/entities/${winner.slug}.md`
  const added = [...(own === undefined ? namesOf(winner).slice(1) : []), ...namesOf(loser)]
  const edit = (text: string): ReturnType<MergePlan['edit']> => {
    if (own === undefined && text === '')
      return checked({ entities, path, before: text, isDone, texts: newPages(winner.name, added) })
    if (own === undefined && !keysOfPage(pageOf(path, text)).includes(winner.key)) return pageTaken(path, winner)
    return checked({ entities, path, before: text, isDone, texts: withAliases(text, added) })
  }
  return { ...names, path, creates: own === undefined, edit }
}

/**
 * Plans the edit that parts two names again: the alias or the `redirect:` that joins them is taken away, and after `planMerge` the page has the
 * bytes it had before. A page that the merge made stays, without the alias.
 */
export function planUnmerge(entities: Entities, [first, second]: readonly [string, string]): MergeReading {
  const [left, right] = [entities.find(first), entities.find(second)]
  if (left === undefined || right === undefined) return unknownEntity(left === undefined ? first : second)
  const [one, other] = [entityKey(first), entityKey(second)]
  if (one === other || (left === right && ![one, other].every((key) => left.keys.includes(key)))) return sameName(first, second)
  if (left !== right) return 'unchanged'
  const pages = entities.pagesOf(left)
  const isDone = (after: Entities): boolean => !after.areOne(one, other)
  const names = (loser: string): Pick<MergePlan, 'winner' | 'loser'> => ({ winner: loser === second ? first : second, loser })
  for (const [loser, key, kept] of [
    [second, other, one],
    [first, one, other],
  ] as const) {
    const stub = pages.find((page) => page.redirect !== undefined && ownKeys(page).has(key) && !ownKeys(page).has(kept))
    if (stub !== undefined)
      return {
        ...names(loser),
        path: stub.path,
        creates: false,
        edit: (text) => checked({ entities, path: stub.path, before: text, isDone, texts: withoutRedirect(text) }),
      }
  }
  for (const [loser, key] of [
    [second, other],
    [first, one],
  ] as const) {
    const page = pages.find((each) => each.isOwn && each.aliases.some((alias) => entityKey(alias) === key))
    if (page === undefined || keysOfPage({ ...withoutLead(page), aliases: [] }).includes(key)) continue
    const keys = new Set([key, ...pages.filter((each) => !each.isOwn && ownKeys(each).has(key)).flatMap(keysOfPage)])
    return {
      ...names(loser),
      path: page.path,
      creates: false,
      edit: (text) => checked({ entities, path: page.path, before: text, isDone, texts: withoutAliases(text, keys) }),
    }
  }
  return joinedByPage(pages.find((page) => ownKeys(page).has(one) && ownKeys(page).has(other))?.path ?? left.page)
}

function inOrder(
  entities: Entities,
  [left, right]: readonly [Entity, Entity],
  { factsOf }: MergeOptions,
): readonly [Entity, Entity] {
  const pages = Number(ownPage(entities, right) !== undefined) - Number(ownPage(entities, left) !== undefined)
  return (pages || factsOf(right) - factsOf(left)) > 0 ? [right, left] : [left, right]
}

/** Every name it has, its first one first: also those that only the file name of a page gives. */
function namesOf({ name, aliases, keys }: Entity): readonly string[] {
  const names = [name, ...aliases]
  const known = new Set(names.map(entityKey))
  return [...names, ...keys.filter((key) => !known.has(key))]
}

/** Its page below `bank/entities/`, no stub; other pages are a person's notes and stay as they are. */
function ownPage(entities: Entities, entity: Entity): EntityPage | undefined {
  return entities.pagesOf(entity).find(({ path, isOwn }) => isOwn && path === entity.page)
}

function ownKeys(page: EntityPage): ReadonlySet<string> {
  return new Set(keysOfPage(withoutLead(page)))
}

function withoutLead({ redirect: _lead, ...page }: EntityPage): EntityPage {
  return page
}

/** The text as the index will read it. */
function pageOf(path: string, text: string): EntityPage {
  const { title, isTitled, properties } = parseDocument({ source: 'memory', path }, { text })
  return storedEntityPage({ path, properties, ...(isTitled && title !== undefined && { title }) })
}

/** A page with its name as heading; in front matter as well where Markdown would read the heading as something else. */
function newPages(name: string, aliases: readonly string[]): readonly string[] {
  const page = `# ${name}\n`
  return [page, `---\ntitle: ${yamlText(name)}\n---\n${page}`].flatMap((text) => {
    const isNamed = entityKey(pageOf('bank/entities/x.md', text).name) === entityKey(name)
    const texts = isNamed ? withAliases(text, aliases) : []
    return texts instanceof UnreadableFrontMatter ? [] : texts
  })
}

interface Checking {
  readonly entities: Entities
  readonly path: string
  readonly before: string
  readonly texts: string | readonly string[] | UnreadableFrontMatter
  readonly isDone: (after: Entities) => boolean
}

/** The first text that does what it is for and leaves all else of the page as it was read. */
function checked({ entities, path, before, texts, isDone }: Checking): ReturnType<MergePlan['edit']> {
  if (texts instanceof UnreadableFrontMatter) return unreadablePage(path, texts.problem)
  for (const text of [before, ...(typeof texts === 'string' ? [texts] : texts)]) {
    const after = entities.withPage(pageOf(path, text))
    if (isDone(after) && (before === '' || saysSame(before, text))) return { text, entities: after }
  }
  return unfitName(path)
}

/** Whether two texts of a page differ in its other names alone. */
function saysSame(left: string, right: string): boolean {
  const [before, after] = [left, right].map((text) => {
    const { properties, bodyStart } = parseDocument({ source: 'memory', path: 'bank/entities/x.md' }, { text })
    const rest = Object.entries(properties).filter(([key]) => !/^(?:alias(?:es)?|redirect)$/i.test(key))
    return JSON.stringify([rest, text.slice(bodyStart).replace(/^\uFEFF/, '')])
  })
  return before === after
}

function unknownEntity(name: string): MergeRefusal {
  const next = 'mnemark entities lists the names there are.'
  return { code: 'unknown-entity', message: `No fact or page names ${JSON.stringify(name)}.`, next, unknown: name }
}

function sameName(first: string, second: string): MergeRefusal {
  const message = `${JSON.stringify(first)} and ${JSON.stringify(second)} are one name: they differ in case, marks or an ending alone.`
  return { code: 'same-name', message, next: 'Nothing joins or parts them. Facts about another thing need another name.' }
}

function differs(left: Entity, right: Entity): MergeRefusal {
  const isType = left.type !== undefined && right.type !== undefined && left.type !== right.type
  const why = isType ? 'their pages are of different type' : 'they differ in a number'
  const message = `${JSON.stringify(left.name)} and ${JSON.stringify(right.name)} are hardly one: ${why}.`
  return { code: 'differs', message, next: 'If they are one all the same, say yes: --yes, over HTTP yes: true.' }
}

function unreadablePage(path: string, problem: string): MergeRefusal {
  return {
    code: 'unreadable-page',
    message: `${path} cannot be edited: ${problem}.`,
    next: 'Correct the front matter of that page first.',
  }
}

function unfitName(path: string): MergeRefusal {
  const message = `${path} was not changed: with the edit it would not be read as meant. A name with a comma is no alias, and all of a page have 500 characters.`
  return { code: 'unfit-name', message, next: 'Edit aliases: or redirect: of that page by hand.' }
}

function pageTaken(path: string, { name }: Entity): MergeRefusal {
  const message = `${path}, where the page of ${JSON.stringify(name)} would be, is the page of another name.`
  return { code: 'page-taken', message, next: `Make a page for it below bank/entities/ first, with title: ${yamlText(name)}.` }
}

function twoPages({ name }: Entity, paths: readonly string[]): MergeRefusal {
  const message = `${JSON.stringify(name)} has two pages, ${paths.join(' and ')}, and only one can lead to another.`
  return { code: 'two-pages', message, next: 'Give the two pages different names, or put them together, first.' }
}

function joinedByPage(path: string | undefined): MergeRefusal {
  const message = `Both are names that ${path ?? 'a page'} itself has: its title, its file name, or an alias of a page outside bank/entities/.`
  return { code: 'joined-by-page', message, next: 'Change the title, the name of the file or its aliases by hand.' }
}
