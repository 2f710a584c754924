import type { ParsedDocument, TextRange } from '@mnemark/core/document'
import { type LineRange, managedLines } from '../retain/managed-lines.ts'
import type { NoteFacts } from '../retain/read-facts.ts'
import { DECISION_LABEL, PROGRAMS, USERS } from './cue-words.ts'
import { RETAIN_HEADINGS } from '../retain/fact-places.ts'
import { scopesOf } from '../retain/retain-scopes.ts'

/** One statement of a log: a list item, or a sentence of a paragraph. Lines count from 1. */
export interface Statement {
  /** On one line, without bullet, box, clock and the label of a speaker. */
  readonly text: string
  readonly startLine: number
  readonly endLine: number
  /** The name before a colon, in logs of conversations. */
  readonly speaker?: string
  /** A bullet in a Retain section that has no letter yet. */
  readonly isCandidate: boolean
}

export interface StatementOptions {
  readonly path: string
  readonly headings?: readonly string[] | undefined
  /** Known names that stand in a text. */
  readonly namesIn?: ((text: string) => readonly string[]) | undefined
}

const ITEM = /^\s*(?:[-*+•]|\d{1,9}[.)])\s+(?:\[(?<box>[^\]])\]\s+)?/u
const CLOCK = /^(?:\*\*)?[([]?\d{1,2}[:：]\d{2}(?::\d{2})?[)\]]?(?:\*\*)?\s*(?:[-–—|:：]\s*)?/u
const LABEL = /^(?:\*\*)?(?<speaker>[\p{L}\p{M}][\p{L}\p{M}\p{N} .'’_-]{0,40}?)(?:\*\*)?\s?[:：](?:\*\*)?\s*/u
/** A short word with a full stop ends no sentence: `Dr. Lund`, `z.B. Bergen`, `No. 4`. */
const ABBREVIATION = /(?:^|[\s(])(?:\p{L}{1,3}\.|\p{L}\.\p{L}\.)\s*$/u
const DONE = /[xX]/

const OF_ONESELF = /(?<![\p{L}\p{M}])(?:i|we|my|our|ich|wir|mein|yo|mi|je|j['’]|nous|mon|ma|أنا|نحن|من|ما)(?![\p{L}\p{M}])|我/iu

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Statements outside facts, managed blocks, code, quotes, tables and front matter, in the order of the note. */
export function statementsIn(
  text: string,
  parsed: ParsedDocument,
  { facts, candidates }: NoteFacts,
  options: StatementOptions,
): readonly Statement[] {
  const isCandidate = new Set(candidates)
  const scopes = scopesOf(options.path, parsed, options.headings ?? RETAIN_HEADINGS)
  const isTaken = ({ startLine, isItem }: Block): boolean =>
    facts.some((fact) => fact.startLine <= startLine && startLine <= fact.endLine) ||
    (isItem && !isCandidate.has(startLine) && scopes.some(({ first, end }) => first < startLine && startLine <= end))
  const blocks = blocksIn(text, parsed).filter((block) => !isTaken(block))
  const isSpeaker = speakersOf(blocks, options)
  return blocks.flatMap((block) => statementsOf(block, { isCandidate: isCandidate.has(block.startLine), isSpeaker }))
}

/** Labels that are names: known ones, those of programs and users, and those that speak twice; `Note:` and its like are none. */
function speakersOf(blocks: readonly Block[], { namesIn }: StatementOptions): (label: string) => boolean {
  const counts = new Map<string, number>()
  for (const { lines } of blocks) {
    const said = bareOf(lines).join('\n').replace(CLOCK, '')
    const label = LABEL.exec(said)
    const speaker = label?.groups?.['speaker']
    if (speaker !== undefined && OF_ONESELF.test(said.slice(label?.[0].length)))
      counts.set(speaker, (counts.get(speaker) ?? 0) + 1)
  }
  return (label) =>
    PROGRAMS.test(label) || USERS.test(label) || (namesIn?.(label) ?? []).includes(label) || (counts.get(label) ?? 0) > 1
}

interface Block {
  readonly lines: string[]
  readonly startLine: number
  readonly isItem: boolean
  readonly indent: number
}

/** List items with the lines that go on, and paragraphs. */
function blocksIn(text: string, { outline }: ParsedDocument): readonly Block[] {
  const { starts, ends, kinds, indents, unindexed } = outline
  const blocks: Block[] = []
  let open: Block | undefined
  const managed = managedLines(text, outline)
  for (const [at, kind] of kinds.entries()) {
    const [start, end] = [starts[at] ?? 0, ends[at] ?? 0]
    const line = visible(text, { start, end }, unindexed)
    if ((kind !== 'list' && kind !== 'text') || line.trim() === '' || isIn(managed, at + 1)) {
      open = undefined
      continue
    }
    if (kind === 'text' && open !== undefined && (!open.isItem || (indents[at] ?? 0) > open.indent)) {
      open.lines.push(line)
      continue
    }
    open = { lines: [line], startLine: at + 1, isItem: kind === 'list', indent: indents[at] ?? 0 }
    blocks.push(open)
  }
  return blocks
}

/** A line without comments and other text that is not indexed. */
function visible(text: string, { start, end }: TextRange, unindexed: readonly TextRange[]): string {
  let shown = ''
  let from = start
  for (const hidden of unindexed) {
    if (hidden.end <= from || hidden.start >= end) continue
    shown += text.slice(from, Math.max(from, hidden.start))
    from = Math.min(end, hidden.end)
  }
  return (shown + text.slice(from, end)).trimEnd()
}

function bareOf([first = '', ...more]: readonly string[]): readonly string[] {
  return [first.replace(ITEM, ''), ...more].map((line) => line.trim())
}

function isIn(ranges: readonly LineRange[], line: number): boolean {
  return ranges.some(({ startLine, endLine }) => startLine <= line && line <= endLine)
}

function statementsOf(
  { lines, startLine, isItem }: Block,
  { isCandidate, isSpeaker }: { readonly isCandidate: boolean; readonly isSpeaker: (label: string) => boolean },
): readonly Statement[] {
  const [first = ''] = lines
  const box = ITEM.exec(first)?.groups?.['box']
  // An open task is no fact.
  if (box !== undefined && !DONE.test(box)) return []
  const bare = bareOf(lines)
  const { speaker, said } = spoken(bare.join('\n').replace(CLOCK, ''), isSpeaker)
  const offset = bare.join('\n').length - said.length
  const placed = isCandidate ? [{ text: said, at: 0 }] : sentencesOf(said)
  return placed.map(({ text, at }) => ({
    text: text.replace(/\s+/gu, ' ').trim(),
    startLine: startLine + (isItem ? 0 : linesBefore(bare, offset + at)),
    endLine: startLine + (isItem ? lines.length - 1 : linesBefore(bare, offset + at + text.trimEnd().length)),
    ...(speaker !== undefined && { speaker }),
    isCandidate,
  }))
}

/** How many line breaks stand before a place in the joined lines. */
function linesBefore(lines: readonly string[], at: number): number {
  return (lines.join('\n').slice(0, at).match(/\n/g) ?? []).length
}

function spoken(text: string, isSpeaker: (label: string) => boolean): { readonly speaker?: string; readonly said: string } {
  const match = LABEL.exec(text)
  const label = match?.groups?.['speaker']?.trim()
  if (match === null || label === undefined || DECISION_LABEL.test(label) || !isSpeaker(label)) return { said: text }
  return { speaker: label, said: text.slice(match[0].length) }
}

function sentencesOf(text: string): readonly { readonly text: string; readonly at: number }[] {
  const found: { text: string; at: number }[] = []
  for (const { segment, index } of segmenter.segment(text)) {
    const last = found.at(-1)
    if (last !== undefined && ABBREVIATION.test(last.text)) last.text += segment
    else found.push({ text: segment, at: index })
  }
  return found
}
