import { plainTag } from './labels.ts'
import type { Outline } from '../markdown/outline.ts'

/** Tags in the body of a note: `#boat`, `#[[two words]]`, `tags:: a, [[b]]`. */
export interface InlineTags {
  /** Tags from leading lines that hold only tags and properties: they apply to the whole note. */
  readonly ofNote: readonly string[]
  /** Tags from the rest, with their offsets: each applies to the chunk that holds it. */
  readonly placed: readonly { readonly at: number; readonly tag: string }[]
}

/** More than anybody writes; a log of hash signs is not a list of tags. */
const MAX_TAGS = 2_000
const TAG_LETTERS = String.raw`\p{L}\p{M}\p{N}\p{Extended_Pictographic}_\/\-\u200c\u200d\ufe0f`
/** Not after a letter (`C#`, `page#part`), a bracket (`[[#part]]`), a link's `](`, another `#`, or in an address. */
const TAG = new RegExp(
  String.raw`(?<=^|[\s(*_~|>,;:、，。；：！？「『《“‘«\u200e\u200f\u2066-\u2068])(?<!\]\()#(?:\[\[([^\[\]\n]{1,100})\]\]|([${TAG_LETTERS}]{1,100})(?![${TAG_LETTERS}]))`,
  'gu',
)
const HAS_NAME = /[\p{L}\p{Extended_Pictographic}]/u
const COLOUR = /^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i
/** Matches a hash, such as a commit's. */
const HASH = /^(?=[a-f]*\d)[\da-f]{7,40}$/i
const PROPERTY = /^[ \t]*(?:[-*+][ \t]+)?([\p{L}\p{N}_-]{1,64})::[ \t]+(\S.*)$/u
const LISTED = new RegExp(String.raw`\[\[([^\[\]\n]{1,100})\]\]|#([${TAG_LETTERS}]{1,100})|([^,，、#\[\]]{1,100})`, 'gu')

export function inlineTags(text: string, { starts, ends, kinds, indents, headings, unindexed }: Outline): InlineTags {
  const ofNote = new Set<string>()
  const placed: InlineTags['placed'][number][] = []
  const titleLines = new Set(headings.filter(({ level }) => level === 1).map(({ line }) => line))
  const isHidden = isWithin(unindexed)
  let isHead = true
  let isInList = false
  for (const [line, kind] of kinds.entries()) {
    if (kind === 'list') isInList = true
    else if (kind !== 'blank' && (indents[line] ?? 0) === 0) isInList = false
    if (kind === 'blank' || kind === 'hidden') continue
    const isCode = kind === 'fence' || (kind === 'text' && !isInList && (indents[line] ?? 0) >= 4)
    const start = starts[line] ?? 0
    const found = isCode ? NOTHING : tagsOfLine(text.slice(start, ends[line]))
    isHead &&= found.isTagsOnly || titleLines.has(line)
    for (const { at, tag } of found.tags) {
      if (placed.length + ofNote.size >= MAX_TAGS) return { ofNote: [...ofNote], placed }
      if (isHidden(start + at)) continue
      if (isHead) ofNote.add(tag)
      else placed.push({ at: start + at, tag })
    }
  }
  return { ofNote: [...ofNote], placed }
}

interface LineTags {
  readonly tags: readonly { readonly at: number; readonly tag: string }[]
  /** True where the line holds nothing else, or is a property. */
  readonly isTagsOnly: boolean
}

const NOTHING: LineTags = { tags: [], isTagsOnly: false }

function tagsOfLine(line: string): LineTags {
  const property = line.includes('::') ? PROPERTY.exec(line) : null
  if (property !== null) {
    const [, name = '', value = ''] = property
    if (!/^tags?$/i.test(name)) return { tags: tagsIn(line), isTagsOnly: true }
    const at = line.length - value.length
    return { tags: listedTags(value).map((tag) => ({ at, tag })), isTagsOnly: true }
  }
  const tags = tagsIn(line)
  const isTagsOnly = tags.length > 0 && !/[\p{L}\p{N}]/u.test(line.replace(TAG, ' ').replace(/^\s*tags?\s*[:：]/iu, ' '))
  return { tags, isTagsOnly }
}

function tagsIn(line: string): LineTags['tags'] {
  if (!line.includes('#')) return []
  const isCode = isWithin(codeSpans(line))
  return [...line.matchAll(TAG)].flatMap((match) => {
    const [whole, linked, word] = match
    const isTag = linked !== undefined || isName(word ?? '', line, match.index + whole.length)
    const tag = plainTag(linked ?? word?.replace(/(?<![-_/])[-_/]+$/, '') ?? '')
    return isTag && tag !== '' && !isCode(match.index) ? [{ at: match.index, tag }] : []
  })
}

/** `#123` is a number, `#a1b2c3` a colour; `#cafe` and `#facade` are words that could be colours. */
function isName(word: string, line: string, end: number): boolean {
  if (!HAS_NAME.test(word) || HASH.test(word)) return false
  if (!COLOUR.test(word)) return true
  const isPlainWord =
    !/\d/.test(word) && word !== word.toUpperCase() && !/^(?:abc|abcdef|(.)\1*|(..)\2*|(.)\3(.)\4(.)\5)$/i.test(word)
  return isPlainWord && line[end] !== ';'
}

/** Tags that a `tags` property lists: `[[a]], b`, `#a #b`, `a b, c`. */
function listedTags(value: string): readonly string[] {
  return [...value.matchAll(LISTED)]
    .map(([, linked, word, plain]) => plainTag(linked ?? word ?? plain ?? ''))
    .filter((tag) => tag !== '')
}

interface Range {
  readonly start: number
  readonly end: number
}

/** Whether an offset lies in one of these ranges; ranges and offsets come in ascending order. */
function isWithin(ranges: readonly Range[]): (offset: number) => boolean {
  let next = 0
  return (offset) => {
    while (next < ranges.length && (ranges[next]?.end ?? 0) <= offset) next++
    return (ranges[next]?.start ?? Number.POSITIVE_INFINITY) <= offset
  }
}

/** Code spans of one line, in one pass: a run of backticks is closed by the next run of its length. */
function codeSpans(line: string): readonly Range[] {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }))
  const later = new Map<number, number[]>()
  for (const [at, { length }] of [...runs.entries()].reverse()) {
    const places = later.get(length)
    if (places) places.push(at)
    else later.set(length, [at])
  }
  const spans: Range[] = []
  for (let at = 0; at < runs.length; at++) {
    const run = runs[at]
    if (run === undefined) break
    const places = later.get(run.length) ?? []
    while (places.length > 0 && (places.at(-1) ?? 0) <= at) places.pop()
    const close = places.at(-1)
    const end = close === undefined ? undefined : runs[close]
    if (close === undefined || end === undefined) continue
    spans.push({ start: run.index, end: end.index + end.length })
    at = close
  }
  return spans
}
