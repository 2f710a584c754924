import { parseDocument } from '@mnemark/core/document'
import type { FactState } from '../facts/fact-registry.ts'
import { contentKey } from '../retain/fact-id.ts'
import type { Fact, FactEntity, FactKind, FactRelation } from '../retain/fact.ts'
import { readFacts } from '../retain/read-facts.ts'
import { type WritableFact, writeFact } from '../retain/write-fact.ts'
import { type BlockItem, writtenContent } from './block-content.ts'
import { type ManagedBlock, readBlock, writeBlock } from './managed-block.ts'
import type { Tombstone } from './page-facts.ts'
import { readable, withoutCount } from './page-item.ts'
import { withoutCounts } from './page-opinion.ts'
import { blockOf, type PageContent, pageContents, type PagesOptions } from './plan-pages.ts'

/** A fact that a person wrote into a managed block, to be retained as the person's. */
export interface AdoptedFact {
  /** Its line for a Retain section. */
  readonly line: string
  readonly kind: FactKind
  readonly entities: readonly FactEntity[]
  readonly content: string
}

/** The meaning of a person's edits of a block. Store the tombstones, then retain the facts, then write the text: a run that ends between can be repeated. */
export interface Adoption {
  readonly path: string
  readonly facts: readonly AdoptedFact[]
  /** Facts whose bullet the person deleted, for `PagesOptions.tombstones` of every later plan. */
  readonly tombstones: readonly Tombstone[]
  /** The page with its block anew, and below it, as quotes, what is no fact: nothing that a person wrote is lost. */
  readonly text: string
}

/**
 * Reads the edits of a page's block: changed bullets correct what they said, new lines are new facts, deleted bullets are tombstones. Undefined
 * where the page has no edited block.
 */
export function adoptPage(
  path: string,
  state: FactState,
  texts: ReadonlyMap<string, string>,
  options: PagesOptions = {},
): Adoption | undefined {
  const text = texts.get(path)
  const content = pageContents(state, texts, options).find((one) => one.path === path)
  if (text === undefined || content === undefined) return undefined
  const block = readBlock(text, content)
  if (block.state !== 'whole' || !block.isEdited) return undefined
  const { isOurs, deleted } = comparison(block, content, options)
  const lines = block.body.split('\n').map((line) => line.trimEnd())
  const untouched = new Set(lines.filter(isOurs).flatMap(idsOf))
  const reader = new EditReader({ content, state, untouched })
  const { kinds } = parseDocument({ source: 'memory', path: 'page.md' }, { text: block.body }).outline
  const edits = lines.flatMap((line, at) => {
    if (isOurs(line)) return []
    return [{ line, edit: kinds[at] === 'list' || kinds[at] === 'text' ? reader.read(line) : ('no-fact' as const) }]
  })
  const facts = edits.flatMap(({ edit }) => (typeof edit === 'string' ? [] : [edit]))
  const kept = edits.flatMap(({ line, edit }) => (edit === 'no-fact' ? [`> ${line.trimStart()}`] : []))
  const tombstones = deleted.flatMap((item) => item.facts.map((fact) => ({ path, fact })))
  const next = { ...options, tombstones: [...(options.tombstones ?? []), ...tombstones] }
  const anew = pageContents(state, texts, next).find((one) => one.path === path) ?? content
  const result = writeBlock(text, blockOf(anew, next), true)
  if (!('page' in result)) return undefined
  return { path, facts, tombstones, text: withKept(result.page, kept, content) }
}

/** Which lines of a block are ours, and which of our bullets are gone from it. */
function comparison(
  { body, attributes }: ManagedBlock,
  content: PageContent,
  options: PagesOptions,
): { readonly isOurs: (line: string) => boolean; readonly deleted: readonly BlockItem[] } {
  const written = writtenContent(attributes, content)
  const own = new Set(blockOf(content, options).body.split('\n'))
  const present = new Set(body.split('\n').flatMap((line) => idsOf(line.trimEnd())))
  const items = content.sections.flatMap((section) => section.items)
  return {
    isOurs: (line) => line === '' || own.has(line) || (written?.wrote(line) ?? TITLE.test(line)),
    deleted: items.filter(({ facts }) => written?.held(facts) === true && !facts.some((id) => present.has(id))),
  }
}

const TITLE = /^\*\*[^*]{1,200}\*\*$/
/** At the end of a bullet that is indented below no other. */
const ID = /^\S.*[ \t]\^([A-Za-z0-9-]{4,64})$/

function idsOf(line: string): readonly string[] {
  const id = ID.exec(line)?.[1]
  return id === undefined ? [] : [id]
}

/** Below the block, as quotes, in which nothing is read as a fact. */
function withKept(page: string, kept: readonly string[], content: PageContent): string {
  const block = readBlock(page, content)
  if (kept.length === 0 || block.state !== 'whole') return page
  const lineEnd = page.includes('\r\n', block.start) ? '\r\n' : '\n'
  return page.slice(0, block.end) + lineEnd + lineEnd + kept.join(lineEnd) + after(page.slice(block.end), lineEnd)
}

/** A quote ends before text that would otherwise continue it. */
function after(rest: string, lineEnd: string): string {
  return /^\r?\n[ \t]*(?:\r?\n|$)/.test(rest) || rest === '' ? rest : lineEnd + rest
}

interface EditContext {
  readonly content: PageContent
  readonly state: FactState
  /** Ids of bullets that stand unchanged: another line with one of them is a copy, and corrects nothing. */
  readonly untouched: ReadonlySet<string>
}

/** Reads one line that a person wrote into a block. */
class EditReader {
  readonly #context: EditContext
  readonly #items: ReadonlyMap<string, BlockItem>

  constructor(context: EditContext) {
    this.#context = context
    this.#items = new Map(
      context.content.sections.flatMap(({ items }) => items.flatMap((item) => item.facts.map((id) => [id, item] as const))),
    )
  }

  /** `same`: the line says what our bullet says. `no-fact`: it cannot be read as one. */
  read(line: string): AdoptedFact | 'same' | 'no-fact' {
    const fact = this.#factOf(line)
    if (fact === undefined) return 'no-fact'
    const [id = ''] = idsOf(line)
    const item = this.#items.get(id)
    const former = item && this.#factOf(item.lines[0] ?? '')
    if (former !== undefined && said(former) === said(fact)) return 'same'
    const relations = item === undefined || this.#context.untouched.has(id) ? [] : correctionsOf(item)
    return adopted({ ...fact, relations }) ?? 'no-fact'
  }

  /** The line as its page reads it, without what is ours: sources, relations, counts. */
  #factOf(line: string): PlainFact | undefined {
    const { path, subject } = this.#context.content
    const title = subject === undefined ? '' : `---\ntitle: ${JSON.stringify(subject)}\n---\n`
    const bullet = readable(line.trim())
    const text = `${title}Something was said.\n\n${BULLET.test(bullet) ? bullet : `- ${bullet}`}\n`
    const { facts, problems } = readFacts(text, { path })
    const [fact, ...others] = facts
    if (fact === undefined || others.length > 0 || problems.some(({ severity }) => severity === 'error')) return undefined
    const { kind, entities, content, clock, written, confidence, tags, marks, state } = fact
    return {
      kind: LETTER.test(bullet) ? kind : this.#kindOf(bullet, kind),
      entities,
      content: withoutCounts(withoutCount(content)),
      tags,
      marks,
      ...(clock !== undefined && { clock }),
      ...(written !== undefined && { written }),
      ...(confidence !== undefined && { confidence }),
      ...(state !== undefined && { state }),
    }
  }

  /** A bullet below the title of a kind has no letter: it is of the kind of the fact that it said. */
  #kindOf(bullet: string, kind: FactKind): FactKind {
    const [id = ''] = idsOf(bullet)
    return this.#context.state.facts.find((fact) => fact.id === id)?.kind ?? kind
  }
}

type PlainFact = WritableFact & Pick<Fact, 'entities'>

const BULLET = /^(?:[-*+•]|\d{1,9}[.)])[ \t]+/
const LETTER = /^(?:[-*+•]|\d{1,9}[.)])[ \t]+(?:\([\d:]{5,8}\)[ \t]+)?(?:~~)?[WBOSF][ \t]*[(:@[]/
const MOST_CORRECTED = 10

function correctionsOf({ facts }: BlockItem): readonly FactRelation[] {
  return facts.slice(0, MOST_CORRECTED).map((target) => ({ verb: 'corrects', target, by: 'id' }))
}

/** Equal for lines that say the same: a line with another source or other blanks is no new fact. */
function said({ kind, entities, content, clock, written, confidence, state }: PlainFact): string {
  const names = entities.map(({ key }) => key).toSorted()
  return JSON.stringify([kind, names, contentKey(content), clock, written, confidence, state])
}

/** The fact as a line, where that line is read as the fact. */
function adopted(fact: PlainFact): AdoptedFact | undefined {
  const line = writeFact(fact)
  const [read, ...others] = readFacts(`# A day\n\n## Retain\n\n${line}\n`, { path: 'memory/fact.md' }).facts
  if (read === undefined || others.length > 0 || said(read) !== said(fact)) return undefined
  return { line, kind: fact.kind, entities: fact.entities, content: fact.content }
}
