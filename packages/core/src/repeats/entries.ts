import {
  afterListMarker,
  firstNonBlank,
  headingLevel,
  isRule,
  isTableRule,
  lineEndAt,
  openingFence,
} from '../document/markdown/markdown-line.ts'
import { afterBullet } from './plain-lines.ts'

/** One statement of a text: a bullet, a row of a table, a line of a fence, else a sentence. */
export interface Entry {
  /** Characters [start, end) of the text. */
  readonly start: number
  readonly end: number
  /** Its characters, blank where they are not indexed. */
  readonly text: string
  /** The heading above it in this text, as source text. */
  readonly heading?: string | undefined
}

/** A line this long without the end of a sentence continues in the next one, if that begins like the middle of a sentence. */
const WRAPPED_LENGTH = 50
const MIDDLE = /^\s*[\p{Ll}\p{Nd}(,;]/u
/** A full stop before a digit or a small letter belongs to an abbreviation or a number. */
const SENTENCE_END = /(?:[.!?…]["'”’)\]*_]{0,4}(?=\s+(?![\s\p{Ll}\p{Nd}])|$)|[。！？｡؟।॥۔።]["'”’)」』]{0,4})/gu
const PIPE = 0x7c

interface Paragraph {
  readonly start: number
  end: number
  readonly isItem: boolean
}

/** Entries in order, in one pass; `unindexed` ranges belong to no entry. */
export function entriesOf(text: string, unindexed: readonly (readonly [start: number, end: number])[] = []): Entry[] {
  const source = blanked(text, unindexed)
  const entries: Entry[] = []
  let heading: string | undefined
  let paragraph: Paragraph | undefined
  let fence = 0
  const add = (start: number, end: number) => {
    if (end > start) entries.push({ start, end, text: source.slice(start, end), heading })
  }
  const finish = () => {
    if (paragraph?.isItem) add(paragraph.start, paragraph.end)
    else if (paragraph) for (const [start, end] of sentences(source, paragraph)) add(start, end)
    paragraph = undefined
  }
  for (let start = 0; start < source.length; ) {
    const newline = lineEndAt(source, start)
    const end = source.charCodeAt(newline - 1) === 0x0d ? newline - 1 : newline
    const first = firstNonBlank(source, start, end)
    const content = Math.max(first, afterListMarker(source, first, end))
    const marks = openingFence(source, content, end)
    if (first >= end) finish()
    else if (marks > 0) {
      finish()
      fence = fence === 0 ? marks : 0
    } else if (fence > 0 || source.charCodeAt(first) === PIPE) {
      finish()
      if (!isTableRule(source, first, end)) add(first, end)
    } else if (headingLevel(source, first, end) > 0) {
      finish()
      heading = source.slice(first, end)
    } else if (isRule(source, first, end)) finish()
    else if (content > first || afterBullet(source.slice(first, Math.min(end, first + 8))) > 0) {
      finish()
      paragraph = { start: first, end, isItem: true }
    } else if (paragraph !== undefined && goesOn(source, paragraph, first)) paragraph.end = end
    else {
      finish()
      paragraph = { start: first, end, isItem: false }
    }
    start = newline + 1
  }
  finish()
  return entries
}

function blanked(text: string, unindexed: readonly (readonly [start: number, end: number])[]): string {
  let kept = ''
  let from = 0
  for (const [start, end] of unindexed) {
    if (end <= from) continue
    kept += text.slice(from, start) + text.slice(Math.max(from, start), end).replace(/[^\n]/g, ' ')
    from = end
  }
  return from === 0 ? text : kept + text.slice(from)
}

function goesOn(source: string, { start, end }: Paragraph, next: number): boolean {
  const line = source.slice(Math.max(start, source.lastIndexOf('\n', end - 1) + 1), end)
  return line.length >= WRAPPED_LENGTH && /[^.!?…:。！？।]\s*$/u.test(line.slice(-8)) && MIDDLE.test(source.slice(next, next + 2))
}

function* sentences(source: string, { start, end }: Paragraph): Generator<readonly [start: number, end: number]> {
  const text = source.slice(start, end)
  let from = 0
  for (const match of text.matchAll(SENTENCE_END)) {
    const to = match.index + match[0].length
    yield [start + firstNonBlank(text, from, to), start + to]
    from = to
    while (from < text.length && /\s/.test(text.charAt(from))) from += 1
  }
  if (from < text.length) yield [start + from, end]
}
