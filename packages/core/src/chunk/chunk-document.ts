import type { ChunkAttributes, DocumentContent } from '@mnemark/spec'
import { afterListMarker, firstNonBlank } from '../document/markdown/markdown-line.ts'
import type { DateOrder } from '../dates/forms/date-matcher.ts'
import type { TextRange } from '../document/markdown/hidden-blocks.ts'
import { mergeAttributes, type ParsedDocument } from '../document/parse-document.ts'
import { withoutData } from '../document/markdown/data-runs.ts'
import { plainHeading } from '../document/markdown/plain-heading.ts'
import { saysSomething } from '../document/markdown/plain-text.ts'
import { TOKEN_UNITS } from '../text/estimate-tokens.ts'
import { bordersOf } from './borders.ts'
import { type ChunkSettings, validateChunkSettings } from './chunk-settings.ts'
import { type ChunkUnits, unitsOf } from './chunk-units.ts'
import { indexedText } from './context.ts'
import { datesUnder, type HeadingContext, headingContexts } from './heading-contexts.ts'
import { type Measure, measureBy, measureWithout } from './measure.ts'
import { type Packed, type PackLimits, packUnits } from './pack-units.ts'
import { createColumnFinder } from './table-columns.ts'

/** A list item that an outliner marks as to do or done. */
const TASK = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(TODO|DONE)(?=[ \t])/gm

export interface ChunkOptions extends ChunkSettings {
  /** A tokenizer to count with instead of the estimate. */
  readonly countTokens?: (text: string) => number
  /** As in `parseDocument`. */
  readonly dateOrder?: DateOrder | undefined
}

export interface ChunkDraft {
  /** `content.text.slice(startOffset, startOffset + text.length)`. */
  readonly text: string
  /** Lines of the file, from 1, both inclusive. */
  readonly startLine: number
  readonly endLine: number
  readonly startOffset: number
  /** Where the chunk's own text begins; text ahead of it repeats the end of the chunk before. */
  readonly ownOffset: number
  readonly headingTrail: readonly string[]
  /** Ranges of `text` that are cited but neither analysed nor embedded. */
  readonly unindexed: readonly (readonly [start: number, end: number])[]
  readonly attributes: ChunkAttributes
  /** The only chunk of a document without body text: headings, blanks, front matter, comments. */
  readonly isStub: boolean
  /** Nothing in it is indexed, but it is no heading alone: a part of an image or a comment, which answers no question. */
  readonly isCitedOnly: boolean
}

/** Most parent bullets in a trail; nobody nests deeper on purpose. */
const MAX_BULLET_TRAIL = 8
/** Matches anything but marks and blanks. */
const HAS_CONTENT = /[^\s!-/:-@[-`{-~]/
/** Most characters of a bullet that are searched for its name. */
const MAX_BULLET = 1_000

interface Chunking {
  readonly parsed: ParsedDocument
  readonly content: DocumentContent
  readonly units: ChunkUnits
  readonly contexts: readonly HeadingContext[]
  readonly clip: (start: number, end: number) => [number, number][]
  readonly columnsAt: (line: number) => string | undefined
}
type Section = NonNullable<DocumentContent['sections']>[number]

/**
 * Cuts a document into chunks of whole lines, in order. Every text is an exact part of `content.text`, no longer than
 * `tokens`, overlap included and runs of data left out, and every character that is not blank is in one; only a line over the size is cut inside.
 * `content.sections` count lines of `content.text` from 1. Throws RangeError or TypeError for bad settings.
 */
export function chunkDocument(parsed: ParsedDocument, content: DocumentContent, options: ChunkOptions = {}): ChunkDraft[] {
  const { tokens, overlap } = validateChunkSettings(options)
  const maxUnits = tokens * TOKEN_UNITS
  const { outline } = parsed
  const measure = measureWithout(outline.data, measureBy(options.countTokens), maxUnits)
  const units = unitsOf(content.text, outline, { measure, maxUnits })
  const contexts = headingContexts(outline.headings, { isDated: parsed.dateReason === 'heading', order: options.dateOrder })
  const chunking = {
    parsed,
    content,
    units,
    contexts,
    clip: createClip(parsed.unindexed),
    columnsAt: createColumnFinder(content.text, outline),
  }
  if (!hasBody(content.text, parsed, units)) return [stubOf(chunking, measure, maxUnits)]
  const limits = { maxUnits, overlapUnits: overlap * TOKEN_UNITS, ...fitting(content.text, units, { measure, maxUnits }) }
  const borders = bordersOf(units, outline, { sections: content.sections, isCurated: parsed.isCurated, contexts })
  const sectionsAt = coveringSections(content.sections)
  return borders.flatMap((start, index) => {
    const region = { start, end: borders[index + 1] ?? units.count }
    const sections = sectionsAt((units.lines[start] ?? 0) + 1)
    return packUnits(units, region, limits).map((packed) => draftOf(chunking, packed, sections))
  })
}

function fitting(
  text: string,
  units: ChunkUnits,
  limits: { readonly measure: Measure; readonly maxUnits: number },
): Pick<PackLimits, 'fits'> {
  const { measure, maxUnits } = limits
  if (measure.isAdditive) return {}
  return { fits: (from, end) => measure.units(text, units.starts[from] ?? 0, units.ends[end - 1] ?? 0) <= maxUnits }
}

/** Clips ranges to [start, end), relative to start. Calls must come in order of start. */
function createClip(ranges: readonly TextRange[]): (start: number, end: number) => [number, number][] {
  let first = 0
  return (start, end) => {
    while (first < ranges.length && (ranges[first]?.end ?? 0) <= start) first++
    const clipped: [number, number][] = []
    for (let index = first; index < ranges.length; index++) {
      const range = ranges[index]
      if (range === undefined || range.start >= end) break
      if (range.end > start) clipped.push([Math.max(0, range.start - start), Math.min(end, range.end) - start])
    }
    return clipped
  }
}

/** Sections around a line, outer ones first. Calls must come in order of line. */
function coveringSections(sections: readonly Section[] = []): (line: number) => readonly Section[] {
  const sorted = sections.toSorted((left, right) => left.startLine - right.startLine || right.endLine - left.endLine)
  let next = 0
  let open: Section[] = []
  return (line) => {
    for (; next < sorted.length; next++) {
      const section = sorted[next]
      if (section === undefined || section.startLine > line) break
      open.push(section)
    }
    open = open.filter(({ endLine }) => endLine >= line)
    return open
  }
}

/** Whether anything is left but headings and marks once comments and front matter are out. */
function hasBody(text: string, parsed: ParsedDocument, units: ChunkUnits): boolean {
  const clip = createClip(parsed.unindexed)
  for (let unit = 0; unit < units.count; unit++) {
    const kind = parsed.outline.kinds[units.lines[unit] ?? 0]
    if (kind === 'heading' || kind === 'hidden') continue
    const [start, end] = [units.starts[unit] ?? 0, units.ends[unit] ?? 0]
    if (saysSomething(indexedText(text.slice(start, end), clip(start, end)))) return true
  }
  return false
}

/** A stub shows its headings and is found by them, but has no body to analyse or embed. */
function stubOf(chunking: Chunking, measure: Measure, maxUnits: number): ChunkDraft {
  const { parsed, content, units, contexts } = chunking
  let end = 0
  let last = 0
  for (let unit = 0; unit < units.count; unit++) {
    const unitEnd = units.ends[unit] ?? 0
    if (measure.units(content.text, 0, unitEnd) > maxUnits) break
    end = unitEnd
    last = units.lines[unit] ?? 0
  }
  const headings = parsed.outline.headings.slice(0, 64).map(({ text }) => plainHeading(text))
  return {
    text: content.text.slice(0, end),
    startLine: lineOf(content, 0),
    endLine: lineOf(content, last),
    startOffset: 0,
    ownOffset: 0,
    headingTrail: [...new Set(headings)].filter((heading) => heading !== ''),
    unindexed: end === 0 ? [] : [[0, end]],
    attributes: withTags(
      mergeAttributes(parsed.attributes, datesUnder(contexts.at(-1), parsed.attributes)),
      tagsBetween(parsed, 0, content.text.length),
    ),
    isStub: true,
    isCitedOnly: false,
  }
}

function draftOf(chunking: Chunking, packed: Packed, sections: readonly Section[]): ChunkDraft {
  const { parsed, content, units, contexts, clip } = chunking
  const start = units.starts[packed.from] ?? 0
  const end = units.ends[packed.end - 1] ?? 0
  const body = firstContent(chunking, packed)
  const context = contexts[units.headings[body ?? packed.end - 1] ?? -1]
  const dated = mergeAttributes(parsed.attributes, datesUnder(context, parsed.attributes))
  const trail = context?.trail ?? bulletTrail(chunking, packed.main)
  const text = content.text.slice(start, end)
  const tags = [...taskTags(text), ...tagsBetween(parsed, start, end)]
  // A chunk that begins within a table lacks the names of its columns.
  const columns = chunking.columnsAt(units.lines[packed.from] ?? 0)
  const labels = sections.flatMap(({ context: label }) => (label === undefined || label === trail.at(-1) ? [] : [label]))
  const unindexed: ChunkDraft['unindexed'] = body === undefined ? [[0, end - start]] : clip(start, end)
  return {
    text,
    startLine: lineOf(content, units.lines[packed.from] ?? 0),
    endLine: lineOf(content, units.lines[packed.end - 1] ?? 0),
    startOffset: start,
    ownOffset: (units.starts[packed.main] ?? start) - start,
    headingTrail: [...trail, ...labels, ...(columns === undefined ? [] : [columns])],
    // A heading with nothing under it is found by the trail alone.
    unindexed,
    attributes: sections.reduce((outer, section) => mergeAttributes(outer, section.attributes), withTags(dated, tags)),
    isStub: false,
    isCitedOnly: body !== undefined && unindexed.length > 0 && !HAS_CONTENT.test(indexedText(text, unindexed)),
  }
}

/** The marks of the tasks in a text, each once: tags, so that open ones can be asked for. */
function taskTags(text: string): readonly string[] {
  const tags = new Set<string>()
  for (const [, tag = ''] of text.matchAll(TASK)) tags.add(tag)
  return [...tags]
}

function withTags(attributes: ChunkAttributes, tags: readonly string[]): ChunkAttributes {
  return tags.length === 0 ? attributes : mergeAttributes(attributes, { tags })
}

function tagsBetween({ placedTags }: ParsedDocument, start: number, end: number): readonly string[] {
  return placedTags.filter(({ at }) => start <= at && at < end).map(({ tag }) => tag)
}

/** First unit after the overlap that is no heading. */
function firstContent({ parsed, units }: Chunking, packed: Packed): number | undefined {
  for (let unit = packed.main; unit < packed.end; unit++) {
    const kind = parsed.outline.kinds[units.lines[unit] ?? 0]
    if (kind !== 'heading' && kind !== 'hidden') return unit
  }
  return undefined
}

/** Without headings, the bullets around a unit say what it is about. */
function bulletTrail({ parsed, content, units }: Chunking, main: number): readonly string[] {
  const trail: string[] = []
  for (let unit = units.parents[main] ?? -1; unit !== -1 && trail.length < MAX_BULLET_TRAIL; unit = units.parents[unit] ?? -1) {
    if (parsed.outline.kinds[units.lines[unit] ?? 0] === 'list') trail.unshift(bulletText(content.text, units, unit))
  }
  return trail.filter((text) => text !== '')
}

function bulletText(text: string, units: ChunkUnits, unit: number): string {
  const end = units.ends[unit] ?? 0
  const first = firstNonBlank(text, units.starts[unit] ?? 0, end)
  const body = text.slice(Math.max(first, afterListMarker(text, first, end)), end)
  return plainHeading(withoutData(body.slice(0, MAX_BULLET)).replace(/^#+\s/, ''))
}

function lineOf(content: DocumentContent, line: number): number {
  return content.lineMap?.[line] ?? line + 1
}
