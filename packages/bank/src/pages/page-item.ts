import type { Entity } from '../entities/entities.ts'
import type { FactState } from '../facts/fact-registry.ts'
import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import { contentKey } from '../retain/fact-id.ts'
import { pageKindOf } from '../retain/fact-places.ts'
import type { FactDays, FactKind, FactRelation } from '../retain/fact.ts'
import { type WritableFact, writeFact } from '../retain/write-fact.ts'
import type { BlockItem } from './block-content.ts'
import { byAge, isAboutAlone, type Statement } from './page-facts.ts'

const MOST_SOURCES = 3

export interface ItemView {
  readonly state: FactState
  /** The kind of a bullet without a letter. */
  readonly page: FactKind
  /** The entity of the page, which need not be named. */
  readonly subject?: Entity | undefined
  /** The days of a value. */
  readonly held?: FactDays | undefined
}

/** The bullet of facts that say the same. */
export function itemOf(facts: Statement, view: ItemView): BlockItem {
  const { state, subject, held } = view
  const newest = facts.at(-1) ?? facts[0]
  const written = held ?? newest.written ?? newest.days
  const fact: WritableFact = {
    kind: newest.kind,
    entities: newest.entities,
    content: newest.content.replace(/\s+/g, ' ') + repeated(facts),
    relations: relationsOf(facts, state),
    sources: sourcesOf(facts),
    author: facts.every(({ author }) => author !== 'person') ? newest.author : 'person',
    tags: newest.tags,
    marks: newest.marks,
    blockId: facts[0].id,
    ...(newest.state !== undefined && { state: newest.state }),
    ...(newest.clock !== undefined && { clock: newest.clock }),
    ...(newest.confidence !== undefined && { confidence: newest.confidence }),
    ...(newest.stated !== undefined && { stated: newest.stated }),
    ...(written !== undefined && { written }),
  }
  const line = writeFact(fact)
  const isShort = fact.kind !== 'opinion' && fact.state === undefined
  return {
    id: facts[0].id,
    facts: [...new Set(facts.map(({ id }) => id))],
    lines: [harmless(isShort ? shortened(line, fact, view, isAboutAlone(newest, subject)) : line)],
  }
}

/**
 * `memory/2026-03-01.md#L4`; a path that would end the trailer stands in brackets of its own. A page of the bank is cited without its line:
 * blocks above it grow, and a plan would move what the next plan cites.
 */
export function sourceOf({ path, startLine, endLine }: Pick<IndexedFact, 'path' | 'startLine' | 'endLine'>): string {
  const lines = `#L${startLine}${endLine > startLine ? `-L${endLine}` : ''}`
  const source = pageKindOf(path) === undefined ? `${path}${lines}` : path
  return /[\s()]/.test(source) ? `[[${source}]]` : source
}

function sourcesOf(facts: Statement): readonly string[] {
  return [...new Set(facts.toReversed().map(sourceOf))].slice(0, MOST_SOURCES)
}

const REPEATED = / \(on \d{1,6} days since \d{4}-\d\d-\d\d\)$/

/** ` (on 7 days since 2026-01-01)`, where there are more days than sources shown. */
function repeated(facts: Statement): string {
  const days = new Set(facts.flatMap(({ days: own }) => own?.from ?? []))
  const [first] = days
  return days.size <= MOST_SOURCES || first === undefined ? '' : ` (on ${days.size} days since ${first})`
}

/** Relations by the ids of their targets, one for each statement, by its oldest fact. */
function relationsOf(facts: Statement, { corrections }: FactState): readonly FactRelation[] {
  const targets = facts
    .flatMap((fact) => corrections.by.get(fact) ?? [])
    .toSorted((left, right) => byAge(left.target, right.target))
  const relations = new Map<string, FactRelation>()
  for (const { verb, target } of targets) {
    const key = `${verb} ${contentKey(target.content)}`
    if (!relations.has(key)) relations.set(key, { verb, target: target.id, by: 'id' })
  }
  return [...relations.values()]
}

/** A text that begins like a head, or like another block of Markdown, keeps its own head before it. */
const LIKE_HEAD = /^(?:\p{Lu}\p{L}{0,12}[ \t]?[:：(]|[@[(~*_`#>+-]|\d{1,9}[.)])/u

/** The line without what its page says: the entity that it is about, and the letter of the page's kind. */
function shortened(line: string, { kind, entities = [], content }: WritableFact, view: ItemView, isAlone: boolean): string {
  if (LIKE_HEAD.test(content) || (!isAlone && kind !== view.page)) return line
  const head = writeFact({ kind, entities, content: '' }).slice('- '.length)
  const names = isAlone || entities.length === 0 ? '' : head.slice('W '.length)
  return line.replace(head, () => names)
}

/** No text of a fact may open or close a comment, an element or a block that hides the marker behind it. */
export function harmless(line: string): string {
  return line
    .replace(/<(?=[!/?\p{L}])/gu, '&lt;')
    .replaceAll('%%', String.raw`%\%`)
    .replaceAll('UNTRUSTED', 'Untrusted')
    .replaceAll(':LOGBOOK:', ':Logbook:')
}

/** The text of an edited line as it was before it was made harmless, without what we counted. */
export function readable(line: string): string {
  return line.replaceAll('&lt;', '<').replaceAll(String.raw`%\%`, '%%')
}

export function withoutCount(content: string): string {
  return content.replace(REPEATED, '')
}
