import { entityKey, parseDocument } from '@mnemark/core/document'
import { visibleName } from '@mnemark/spec'
import type { Entities, Entity } from './entities.ts'
import { type EntityPage, entityPageOf, keysOfPage } from './entity-page.ts'
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
  const isDone = (after: Entities): boolean => !after.areOne(one, other)
  const pages = entities.pagesOf(left)
  const partings = [
    ...leadsOf(pages, { leaving: other, kept: one, names: { winner: first, loser: second } }),
    ...leadsOf(pages, { leaving: one, kept: other, names: { winner: second, loser: first } }),
    ...aliasesOf(pages, { leaving: other, kept: one, names: { winner: first, loser: second } }),
    ...aliasesOf(pages, { leaving: one, kept: other, names: { winner: second, loser: first } }),
  ]
  const parting = partings.find(({ without }) => isDone(entities.withPage(without)))
  if (parting === undefined)
    return joinedByPage(partings.length > 0 ? partings.map(({ without }) => without.path) : [left.page ?? ''])
  const { names, without, textOf } = parting
  const { path } = without
  const edit = (text: string): ReturnType<MergePlan['edit']> =>
    checked({ entities, path, before: text, isDone, texts: textOf(text) })
  return { ...names, path, creates: false, edit }
}

interface Leaving {
  readonly leaving: string
  readonly kept: string
  readonly names: Pick<MergePlan, 'winner' | 'loser'>
}

/** A line that joins a name to others: its page without it, and how to take it out of the text. */
interface Parting extends Pick<Leaving, 'names'> {
  readonly without: EntityPage
  readonly textOf: (text: string) => UnreadableFrontMatter | string
}

function leadsOf(pages: readonly EntityPage[], { leaving, kept, names }: Leaving): readonly Parting[] {
  return pages
    .filter((page) => page.redirect !== undefined && ownKeys(page).has(leaving) && !ownKeys(page).has(kept))
    .map((page) => ({ names, without: withoutLead(page), textOf: withoutRedirect }))
}

/** With an alias go all names of a note elsewhere that has it: a merge added them together. */
function aliasesOf(pages: readonly EntityPage[], { leaving, names }: Leaving): readonly Parting[] {
  const elsewhere = pages.filter((page) => !page.isOwn && ownKeys(page).has(leaving))
  const keys = new Set([leaving, ...elsewhere.flatMap(keysOfPage)])
  return pages
    .filter(({ isOwn, aliases }) => isOwn && aliases.some((alias) => keys.has(entityKey(alias))))
    .map((page) => {
      const aliases = page.aliases.filter((alias) => !keys.has(entityKey(alias)))
      return { names, without: { ...page, aliases }, textOf: (text: string) => withoutAliases(text, keys) }
    })
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

function pageOf(path: string, text: string): EntityPage {
  return entityPageOf(path, parseDocument({ source: 'memory', path }, { text }))
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

const LONGEST_SHOWN = 100

/** A name in quotes as a message shows it: nothing unseen, and not all of a long one. */
function shown(name: string): string {
  const visible = visibleName(name.slice(0, LONGEST_SHOWN).toWellFormed())
  return `"${visible}${name.length > LONGEST_SHOWN ? '…' : ''}"`
}

function unknownEntity(name: string): MergeRefusal {
  const next = 'mnemark entities lists the names there are.'
  return { code: 'unknown-entity', message: `No fact or page names ${shown(name)}.`, next, unknown: name }
}

function sameName(first: string, second: string): MergeRefusal {
  const message = `${shown(first)} and ${shown(second)} are one name: they differ in case, marks or an ending alone.`
  return { code: 'same-name', message, next: 'Nothing joins or parts them. Facts about another thing need another name.' }
}

function differs(left: Entity, right: Entity): MergeRefusal {
  const isType = left.type !== undefined && right.type !== undefined && left.type !== right.type
  const why = isType ? 'their pages are of different type' : 'they differ in a number'
  const message = `${shown(left.name)} and ${shown(right.name)} are hardly one: ${why}.`
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
  const message = `${path} was not changed: with the edit it would not be read as meant. An alias has at most 100 characters, and a page at most 64 of them.`
  return { code: 'unfit-name', message, next: 'Edit aliases: or redirect: of that page by hand.' }
}

function pageTaken(path: string, { name }: Entity): MergeRefusal {
  const message = `${path}, where the page of ${shown(name)} would be, is the page of another name.`
  return { code: 'page-taken', message, next: `Make a page for it below bank/entities/ first, with title: ${yamlText(name)}.` }
}

function twoPages({ name }: Entity, paths: readonly string[]): MergeRefusal {
  const message = `${shown(name)} has two pages, ${paths.join(' and ')}, and only one can lead to another.`
  return { code: 'two-pages', message, next: 'Give the two pages different names, or put them together, first.' }
}

function joinedByPage(paths: readonly string[]): MergeRefusal {
  const where = [...new Set(paths)].join(' and ')
  const message = `No line of one page alone joins them. Look at title, file name, aliases: and redirect: of ${where}, and at notes elsewhere that have both names.`
  return { code: 'joined-by-page', message, next: 'Change what joins them by hand.' }
}
