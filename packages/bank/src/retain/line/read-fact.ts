import { factId } from '../fact-id.ts'
import type { Fact, FactChild, FactDays, FactEntity, FactKind } from '../fact.ts'
import { normalSigns } from './normal-signs.ts'
import { errorAt, type Finding, warningAt } from '../problems.ts'
import { literalNewlineIn, mentionsIn, squeezed, withoutStruck } from './read-body.ts'
import { numberOf } from './read-confidence.ts'
import type { Head } from './read-head.ts'
import { noTrailers, takeTrailers, type Trailers } from './read-trailers.ts'

/** The lines of one fact, and what the note adds to it. */
export interface FactLines {
  readonly head: Head
  /** The first line behind the head and the lines that continue it. */
  readonly body: readonly string[]
  readonly children: readonly FactChild[]
  /** The kind that a page of the bank gives. */
  readonly pageKind?: FactKind | undefined
  /** The entity that the page is about, for facts that name none. */
  readonly pageEntity?: FactEntity | undefined
  /** Days of the note or of the heading above. */
  readonly noteDays?: FactDays | undefined
}

/** A fact with what is to be said about it; `format`: the line describes the form itself. A finding: no fact. */
export type FactReading = { readonly fact: Fact; readonly warnings: readonly Finding[] } | 'format' | Finding

const MAX_CONTENT = 2_000
const SAYS_SOMETHING = /[\p{L}\p{N}\p{S}]/u
const PLACEHOLDER = /^(?:…|\.{3}|<[^<>\n]{1,60}>|\{{1,2}[^{}\n]{1,60}\}{1,2}|\[[^[\]\n]{0,60}\])[.。]?$/

export function readFact(lines: FactLines): FactReading {
  const { head } = lines
  const body = squeezed(lines.body.join(' '))
  const newline = literalNewlineIn(body)
  if (newline !== -1) return errorAt('literal-newline', head.end)
  const trailers = noTrailers()
  const said = head.isStruck ? struckBody(body, trailers) : body
  const unstruck = said === undefined ? undefined : withoutStruck(said)
  if (unstruck === undefined) return errorAt('unclosed', head.end)
  const text = withoutTrailers(unstruck.text, head.openEmphasis, trailers)
  const isAllStruck = text === '' && unstruck.struck.length > 0
  const content = isAllStruck ? unstruck.struck.join(' ') : text
  if (PLACEHOLDER.test(content)) return 'format'
  if (!SAYS_SOMETHING.test(content)) return errorAt('empty-content', head.end)
  const fact = factOf(lines, { trailers, content, earlier: isAllStruck ? [] : unstruck.struck, isAllStruck })
  return { fact, warnings: warningsOf(head, { content, trailers }) }
}

/** The text up to the closing `~~`; what follows holds trailers at most. */
function struckBody(body: string, trailers: Trailers): string | undefined {
  const close = body.lastIndexOf('~~')
  if (close === -1) return undefined
  takeTrailers(body.slice(close + 2), trailers)
  return body.slice(0, close)
}

/** Takes trailers off, also inside of emphasis that the head opened. */
function withoutTrailers(text: string, emphasis: string, trailers: Trailers): string {
  const rest = takeTrailers(text, trailers)
  if (emphasis === '' || !rest.endsWith(emphasis)) return rest
  return takeTrailers(rest.slice(0, rest.length - emphasis.length), trailers)
}

interface Said {
  readonly trailers: Trailers
  readonly content: string
  readonly earlier: readonly string[]
  readonly isAllStruck: boolean
}

function factOf(lines: FactLines, { trailers, content, earlier, isAllStruck }: Said): Fact {
  const { head, pageEntity } = lines
  const state: Fact['state'] = head.isForget ? 'forget' : head.isStruck || isAllStruck ? 'retracted' : undefined
  const entities = head.entities.length === 0 && pageEntity !== undefined ? [pageEntity] : unique(head.entities)
  const keys = new Set(entities.map(({ key }) => key))
  const confidence = head.confidence ?? confidenceIn(lines.children)
  const written = trailers.days ?? (head.marks.day === undefined ? undefined : { from: head.marks.day, to: head.marks.day })
  const hasBadDays = trailers.faults.some((code) => code === 'bad-day' || code === 'range-order')
  const days = written ?? (hasBadDays ? undefined : lines.noteDays)
  const fact = {
    kind: head.kind ?? lines.pageKind ?? 'world',
    ...(state !== undefined && { state }),
    entities,
    mentions: mentionsIn(content).filter(({ key }) => !keys.has(key)),
    content,
    earlier,
    ...(confidence !== undefined && { confidence }),
    ...(trailers.stated !== undefined && { stated: trailers.stated }),
    ...(written !== undefined && { written }),
    ...(days !== undefined && { days }),
    ...(head.marks.clock !== undefined && { clock: head.marks.clock }),
    author: trailers.author ?? 'person',
    marks: head.marks.words,
    tags: trailers.tags.toReversed(),
    sources: trailers.sources.toReversed(),
    relations: trailers.relations.toReversed(),
    ...(trailers.blockId !== undefined && { blockId: trailers.blockId }),
    children: lines.children,
  } as const
  return { id: factId(fact), ...fact }
}

function unique(entities: readonly FactEntity[]): readonly FactEntity[] {
  return [...new Map(entities.toReversed().map((entity) => [entity.key, entity])).values()].reverse()
}

function confidenceIn(children: readonly FactChild[]): number | undefined {
  const child = children.find(({ key }) => key === 'confidence')
  return child === undefined ? undefined : numberOf(normalSigns(child.value))
}

function warningsOf(head: Head, { content, trailers }: Pick<Said, 'content' | 'trailers'>): readonly Finding[] {
  const isLong = content.length > MAX_CONTENT
  const faults = trailers.faults.map((code) => warningAt(code, head.end))
  return [...head.warnings, ...faults, ...(isLong ? [warningAt('too-long', head.end)] : [])]
}
