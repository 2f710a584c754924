import type { TextRange } from './hidden-blocks.ts'

/** A list item that is nothing but a link to a heading of its own file: `- [[#Heading|Shown]]`, `1. [Shown](#heading)`. */
const CONTENTS_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[\[#[^\]\n]+\]\]|\[[^\]\n]+\]\(#[^)\n]*\))[ \t]*\r?$/
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/
/** Directives of agents to their chat program, which look like links: they say nothing about the note. */
const DIRECTIVE = /\[\[[ \t]{0,20}(?:reply_to_current|reply_to[ \t]{0,20}:[^\]\n]{0,200}|audio_as_voice)[ \t]{0,20}\]\]/g
const LEAST_ITEMS = 2

interface Lines {
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** Tables of contents (lists whose every item links to a heading of the same file) and agents' directives: cited, not scored. */
export function unscoredLinks(text: string, lines: Lines): readonly TextRange[] {
  const ranges = text.includes('](#') || text.includes('[[#') ? contentsLists(text, lines) : []
  if (!text.includes('[[')) return ranges
  for (const match of text.matchAll(DIRECTIVE)) ranges.push({ start: match.index, end: match.index + match[0].length })
  return ranges
}

function contentsLists(text: string, { starts, ends }: Lines): TextRange[] {
  const ranges: TextRange[] = []
  let first = -1
  let items = 0
  let isContents = true
  const close = (end: number) => {
    if (isContents && items >= LEAST_ITEMS) ranges.push({ start: starts[first] ?? 0, end: ends[end] ?? 0 })
    first = -1
    items = 0
    isContents = true
  }
  for (let line = 0; line < starts.length; line += 1) {
    const shown = text.slice(starts[line], ends[line])
    if (LIST_ITEM.test(shown)) {
      if (first === -1) first = line
      items += 1
      isContents &&= CONTENTS_ITEM.test(shown)
    } else if (first !== -1 && shown.trim() !== '') isContents = false
    // A blank line ends a list here: two lists of one item each do not count.
    if (first !== -1 && shown.trim() === '') close(line - 1)
  }
  if (first !== -1) close(starts.length - 1)
  return ranges
}
