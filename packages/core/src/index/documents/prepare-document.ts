import {
  type Annotator,
  canonicalJson,
  dayOfChunk,
  type DocumentContent,
  type DocumentStat,
  type NewChunk,
  sha256,
  type StoredDocument,
  tieHash,
} from '@mnemark/spec'
import { type ChunkDraft, chunkDocument } from '../../chunk/chunk-document.ts'
import type { CheckedChunkSettings } from '../../chunk/chunk-settings.ts'
import { embeddingInputText, indexedText } from '../../chunk/context.ts'
import type { DateOrder } from '../../dates/forms/date-matcher.ts'
import { addDays } from '../../dates/calendar/calendar-day.ts'
import { labelsOf } from '../../document/properties/labels.ts'
import { fileTitle } from '../../document/names/file-title.ts'
import { noteNames } from '../../document/note-names.ts'
import { type ParsedDocument, parseDocument } from '../../document/parse-document.ts'
import { plainHeading } from '../../document/markdown/plain-heading.ts'
import { entryTerms } from '../../keywords/terms/entry-terms.ts'
import type { KeywordDocument } from '../../keywords/terms/keyword-document.ts'
import { propertyTerms } from '../../keywords/terms/property-terms.ts'
import { inputHash } from '../chunk-input.ts'

/** A document ready for the index: its row, its chunks, and the keyword data of each. */
export interface PreparedDocument {
  readonly document: StoredDocument
  readonly chunks: readonly { readonly chunk: NewChunk; readonly keywords: KeywordDocument }[]
  /** Characters of text, for sizing batches. */
  readonly characters: number
  /** Why front matter was read as text. */
  readonly problem?: string
}

export interface Preparation {
  readonly recipe: string
  readonly chunking: CheckedChunkSettings
  readonly annotators: readonly Annotator[]
  readonly dateOrder?: DateOrder | undefined
}

/** Longest range of days whose every day is a search term; of a longer range only both ends are. */
const MAX_DAYS = 31

export function contentHash(content: DocumentContent): string {
  const { text, attributes, sections, lineMap, media } = content
  const rest = canonicalJson({
    attributes,
    sections,
    lineMap: lineMap && [...lineMap],
    media: media && sha256(media.bytes),
  })
  return sha256(rest === '{}' ? text : `${rest}\n${text}`)
}

function daysOf({ from, to }: { readonly from?: string; readonly to?: string }): readonly string[] {
  if (from === undefined) return to === undefined ? [] : [to]
  const days = [from]
  for (let day = addDays(from, 1); day !== null && to !== undefined && day <= to; day = addDays(day, 1)) {
    if (days.length >= MAX_DAYS) return [from, to]
    days.push(day)
  }
  return days
}

function storedDocument(
  stat: DocumentStat,
  parsed: ParsedDocument,
  facts: { readonly contentHash: string; readonly recipe: string },
): StoredDocument {
  return {
    ...stat,
    ...facts,
    isEvergreen: parsed.isEvergreen,
    ...(parsed.title !== undefined && { title: parsed.title }),
    ...(parsed.from !== undefined && { from: parsed.from }),
    ...(parsed.to !== undefined && { to: parsed.to }),
    ...(parsed.dateReason !== undefined && { dateReason: parsed.dateReason }),
    ...(Object.keys(parsed.properties).length > 0 && { properties: parsed.properties }),
  }
}

function newChunk(
  stat: DocumentStat,
  draft: ChunkDraft,
  place: { readonly ordinal: number; readonly parsed: ParsedDocument; readonly indexed: string },
): NewChunk {
  const { source, path, part } = stat
  const hasInput = !draft.isStub && !draft.isCitedOnly && !isDerivedPart(draft, place.parsed)
  const input = hasInput ? embeddingInputText(place.parsed.title, draft.headingTrail, place.indexed) : ''
  return {
    document: part === undefined ? { source, path } : { source, path, part },
    ordinal: place.ordinal,
    startLine: draft.startLine,
    endLine: draft.endLine,
    text: draft.text,
    headingTrail: draft.headingTrail,
    attributes: draft.attributes,
    ...labelsOf(draft.attributes),
    ...(draft.unindexed.length > 0 && { unindexed: draft.unindexed }),
    inputs: input === '' ? [] : [inputHash(input)],
  }
}

/** A part that repeats what other notes say, in a note that is no copy: its sources are embedded. */
function isDerivedPart({ attributes }: ChunkDraft, { marks }: ParsedDocument): boolean {
  return attributes.marks?.includes('derived') === true && !marks.includes('derived')
}

function keywordContext(parsed: ParsedDocument, trail: readonly string[]): readonly string[] {
  const parts = [parsed.title, ...trail, ...parsed.aliases, ...parsed.tags, parsed.status, parsed.summary]
  return [...new Set(parts.filter((part) => part !== undefined && part !== ''))] as string[] // filter keeps no undefined
}

/** The headings of each chunk. In an overlap, the later chunk continues the section. */
function headingsByChunk(
  parsed: ParsedDocument,
  content: DocumentContent,
  drafts: readonly ChunkDraft[],
): ReadonlyMap<number, readonly string[]> {
  const byChunk = new Map<number, string[]>()
  let next = 0
  for (const heading of parsed.outline.headings) {
    const line = content.lineMap?.[heading.line] ?? heading.line + 1
    while (next < drafts.length && (drafts[next]?.startLine ?? 0) <= line) next += 1
    const at = Math.max(0, next - 1)
    const known = byChunk.get(at)
    if (known === undefined) byChunk.set(at, [plainHeading(heading.text)])
    else known.push(plainHeading(heading.text))
  }
  return byChunk
}

/** Reads the metadata a document states about itself and cuts it into chunks; words are not analysed yet. Pure. */
export function prepareDocument(stat: DocumentStat, read: DocumentContent, preparation: Preparation): PreparedDocument {
  const { dateOrder } = preparation
  const first = parseDocument(stat, read, { dateOrder })
  const facts = { contentHash: contentHash(read), recipe: preparation.recipe }
  const draftDocument = storedDocument(stat, first, facts)
  const content = preparation.annotators.reduce((annotated, annotator) => annotator.annotate(draftDocument, annotated), read)
  const parsed = content === read ? first : parseDocument(stat, content, { dateOrder })
  const properties = propertyTerms(parsed.properties)
  const drafts = chunkDocument(parsed, content, { ...preparation.chunking, dateOrder })
  const headings = headingsByChunk(parsed, content, drafts)
  const chunks = drafts.map((draft, ordinal) => {
    const indexed = draft.isStub ? '' : indexedText(draft.text, draft.unindexed)
    const keywords = {
      text: indexed,
      context: draft.isCitedOnly ? [] : keywordContext(parsed, draft.headingTrail),
      // Used for keywords alone, never in the input of an embedding: a rename embeds nothing.
      ...(!parsed.isTitled && !draft.isCitedOnly && { fileTitle: fileTitle(stat.path) }),
      ...(ordinal === 0 && (stat.part ?? 0) === 0 && { names: noteNames(stat.path, parsed) }),
      headings: headings.get(ordinal) ?? [],
      ordinal,
      hash: tieHash(stat, ordinal),
      day: dayOfChunk(draft.attributes, parsed),
      path: stat.path,
      days: draft.isCitedOnly ? [] : daysOf(draft.attributes),
      properties: draft.isCitedOnly ? [] : properties,
      entries: draft.isStub || draft.isCitedOnly ? [] : entryTerms(draft),
    }
    return { chunk: newChunk(stat, draft, { ordinal, parsed, indexed }), keywords }
  })
  return {
    document: content === read ? draftDocument : storedDocument(stat, parsed, facts),
    chunks,
    characters: read.text.length,
    ...(parsed.problem !== undefined && { problem: parsed.problem }),
  }
}
