import type { ChunkAttributes, DocumentContent, DocumentId, Mark } from '@mnemark/spec'
import type { DateOrder } from '../dates/forms/date-matcher.ts'
import { withoutConflict } from './names/copy-name.ts'
import { type DateReason, datedBy, type NoteDate } from './names/dated-by.ts'
import { readFrontMatter } from './properties/front-matter.ts'
import type { TextRange } from './markdown/hidden-blocks.ts'
import { isCuratedPath, isTimelessPath, marksOf } from './names/marks.ts'
import { type InlineTags, inlineTags } from './properties/inline-tags.ts'
import { type Outline, outlineOf } from './markdown/outline.ts'
import { plainHeading, withoutMarkup } from './markdown/plain-heading.ts'
import { squeeze } from './markdown/plain-text.ts'
import { isTemplate } from './names/template.ts'

export interface ParsedDocument {
  /** Front matter title or first heading; from content only, never from the path. */
  readonly title?: string
  /** True where front matter or an H1 names the note; else its file name does, for keyword search alone. */
  readonly isTitled: boolean
  readonly aliases: readonly string[]
  /** From the front matter, and from the lines of tags at the top of a note. */
  readonly tags: readonly string[]
  /** Tags in the text, each for the chunk that holds it. */
  readonly placedTags: InlineTags['placed']
  readonly status?: string
  /** Absent where the body repeats it: a text counts once. */
  readonly summary?: string
  /** Days of the whole note. Absent with reason `heading`, where each chunk has its own. */
  readonly from?: string
  readonly to?: string
  readonly time?: string
  readonly dateReason?: DateReason
  /** Unparsed dates of the front matter, in order of preference. */
  readonly dates: readonly string[]
  /** Never decays: undated, or edited by hand (`MEMORY.md`, `SOUL.md`, `USER.md`, `bank/`). */
  readonly isEvergreen: boolean
  readonly isCurated: boolean
  readonly properties: Readonly<Record<string, string>>
  readonly marks: readonly Mark[]
  /** Attributes of every chunk: those from the source, days, tags, marks. */
  readonly attributes: ChunkAttributes
  /** Ranges of the text that are cited but neither analysed nor embedded. */
  readonly unindexed: readonly TextRange[]
  /** Why front matter was read as text; quotes nothing from the note. */
  readonly problem?: string
  readonly bodyStart: number
  readonly outline: Outline
}

export interface ParseOptions {
  /** Order of `03/04/2026` here; without it, such dates name no day. */
  readonly dateOrder?: DateOrder | undefined
}

/** Reads the metadata a document states about itself, in one pass. The text may hold CRLF, though sources normalise it. */
export function parseDocument(id: DocumentId, content: DocumentContent, options: ParseOptions = {}): ParsedDocument {
  const { text } = content
  const { frontMatter, start, bodyStart, rejectedEnd, problem } = readFrontMatter(text)
  const hidden = frontMatter === undefined ? {} : { frontMatter: { start, end: bodyStart } }
  const outline = outlineOf(text, { ...hidden, plainUntil: rejectedEnd })
  const title = frontMatter?.title ?? firstTitle(outline)
  const summary = frontMatter?.summary
  const date =
    ownDate(content.attributes) ??
    datedBy(withoutConflict(id.path), {
      dates: frontMatter?.dates ?? [],
      headings: outline.headings.map(({ text: heading }) => heading),
      order: options.dateOrder,
    })
  const isForm = isTemplate(id.path, { text, outline, ...hidden })
  const marks = [...marksOf(id.path, frontMatter?.status), ...(isForm ? (['template'] as const) : [])]
  const { ofNote, placed } = inlineTags(text, outline)
  const facts = {
    tags: union(frontMatter?.tags, ofNote),
    marks,
    ...(date !== undefined && date.reason !== 'heading' && daysOf(date)),
  }
  return {
    ...(title !== undefined && { title }),
    isTitled: frontMatter?.title !== undefined || outline.headings.some(({ level }) => level === 1),
    aliases: frontMatter?.aliases ?? [],
    ...(frontMatter?.status !== undefined && { status: frontMatter.status }),
    ...(summary !== undefined && !isBody(summary, text, bodyStart) && { summary }),
    ...facts,
    placedTags: placed,
    ...(date?.reason !== undefined && { dateReason: date.reason }),
    dates: frontMatter?.dates ?? [],
    isEvergreen: date === undefined || (id.source === 'memory' && isTimelessPath(id.path)),
    isCurated: id.source === 'memory' && isCuratedPath(id.path),
    properties: frontMatter?.properties ?? {},
    attributes: mergeAttributes(facts, content.attributes),
    unindexed: outline.unindexed,
    ...(problem !== undefined && { problem }),
    bodyStart,
    outline,
  }
}

/** A day given by the source (a session, say) overrides every rule. */
function ownDate(
  attributes: ChunkAttributes | undefined,
): (Omit<NoteDate, 'reason'> & { readonly reason?: DateReason }) | undefined {
  if (attributes?.from === undefined) return undefined
  const { from, to = from, time } = attributes
  return time === undefined ? { from, to } : { from, to, time }
}

function daysOf({ from, to, time }: Omit<NoteDate, 'reason'>): Pick<ChunkAttributes, 'from' | 'to' | 'time'> {
  return time === undefined ? { from, to } : { from, to, time }
}

function firstTitle(outline: Outline): string | undefined {
  for (const { text } of outline.headings) {
    const title = plainHeading(text) || squeeze(withoutMarkup(text.slice(0, 200)))
    if (title !== '') return title
  }
  return undefined
}

/** Whether the body, with or without its first line, equals this text. */
function isBody(value: string, text: string, bodyStart: number): boolean {
  if (text.length - bodyStart > 4 * value.length + 400) return false
  const body = text.slice(bodyStart).trim()
  const rest = body.includes('\n') ? body.slice(body.indexOf('\n')) : body
  return squeeze(body) === value || squeeze(rest) === value
}

/** Joins the attributes around a part with its own: the inner value wins, lists are joined. Empty lists are left out. */
export function mergeAttributes(outer: ChunkAttributes, inner: ChunkAttributes | undefined): ChunkAttributes {
  const entities = union(outer.entities, inner?.entities)
  const tags = union(outer.tags, inner?.tags)
  const marks = union(outer.marks, inner?.marks)
  const { entities: _entities, tags: _tags, marks: _marks, ...plain } = outer
  const { entities: _innerEntities, tags: _innerTags, marks: _innerMarks, ...innerPlain } = inner ?? {}
  // An inner day brings its own end and time.
  const { from: _from, to: _to, time: _time, ...undated } = plain
  return {
    ...(innerPlain.from === undefined ? plain : undated),
    ...innerPlain,
    ...(outer.extra !== undefined && inner?.extra !== undefined && { extra: { ...outer.extra, ...inner.extra } }),
    ...(entities.length > 0 && { entities }),
    ...(tags.length > 0 && { tags }),
    ...(marks.length > 0 && { marks }),
  }
}

function union<Item>(left: readonly Item[] = [], right: readonly Item[] = []): readonly Item[] {
  return [...new Set([...left, ...right])]
}
