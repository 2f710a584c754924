import { type ParsedDocument, parseDocument } from '@mnemark/core/document'
import type { PlacedFact } from './fact.ts'
import { type ReadFactsOptions, readFactsOf } from './read-facts.ts'
import { type RetainScope, scopesOf } from './retain-scopes.ts'

/** A note with one more fact. */
export interface NoteWithFact {
  readonly text: string
  readonly fact: PlacedFact
  /** The facts that stand in the note before. */
  readonly others: readonly PlacedFact[]
}

interface Note {
  readonly text: string
  readonly parsed: ParsedDocument
  readonly options: ReadFactsOptions
  readonly facts: readonly PlacedFact[]
}

/** Lines to put behind a line, from 0; behind the last line where it is -1. */
interface Place {
  readonly after: number
  readonly lines: readonly string[]
}

/** Sections that are tried, from the last one: the others have facts of their own, and reading costs time. */
const MOST_SECTIONS = 3

/**
 * Puts the line of a fact into a note: behind the last fact of its Retain section, or into a new section at its end. Every other
 * byte stays. Only a place counts where the line is read as a fact and all else as before; undefined where there is none.
 */
export function placeFact(
  text: string,
  line: string,
  options: ReadFactsOptions & { readonly day: string },
): NoteWithFact | undefined {
  const note = readNote(text, options)
  const sections = scopesOf(options.path, note.parsed, options.headings).slice(-MOST_SECTIONS).reverse()
  const places = [...sections.flatMap((section) => placesIn(section, note, line)), newSection(note, line, options.day)]
  for (const place of places) {
    const placed = tryPlace(note, place)
    if (placed !== undefined) return placed
  }
  return undefined
}

function readNote(text: string, options: ReadFactsOptions): Note {
  const parsed = parseDocument({ source: 'memory', path: options.path }, { text }, { dateOrder: options.dateOrder })
  return { text, parsed, options, facts: readFactsOf(text, parsed, options).facts }
}

function placesIn(section: RetainScope, note: Note, line: string): readonly Place[] {
  const { kinds } = note.parsed.outline
  const last = note.facts.findLast(({ startLine }) => startLine > section.first && startLine <= section.end)
  const behindFacts = last === undefined ? [] : [{ after: endOfItem(last.endLine - 1, section.end, note), lines: [line] }]
  const heading = section.first - 1
  const next = kinds.findIndex((kind, at) => at >= section.first && (at >= section.end || kind === 'heading'))
  const end = next === -1 ? kinds.length : next
  const lastLine = kinds.findLastIndex((kind, at) => at >= heading && at < end && kind !== 'blank')
  return [...behindFacts, apart(lastLine, note, line), apart(heading, note, line)]
}

/** The last line of the list item that a fact ends in: what is indented below it, and text that goes on without a blank line. */
function endOfItem(factEnd: number, sectionEnd: number, { parsed }: Note): number {
  const { kinds, indents, groups } = parsed.outline
  let end = factEnd
  for (let line = factEnd + 1; line < sectionEnd; line += 1) {
    const kind = kinds[line]
    if (kind === 'blank') continue
    const isNested = (indents[line] ?? 0) > 0 && kind !== 'heading'
    const isSameBlock = (groups[line] ?? 0) > 0 && groups[line] === groups[end]
    if (!isNested && !isSameBlock && !(kind === 'text' && line === end + 1)) return end
    end = line
  }
  return end
}

/** Behind a line, with blank lines round it where there are none; directly below a list item. */
function apart(after: number, { parsed }: Note, line: string): Place {
  const { kinds } = parsed.outline
  const before = kinds[after] === 'list' ? [] : ['']
  const next = kinds[after + 1]
  return { after, lines: [...before, line, ...(next === undefined || next === 'blank' || next === 'list' ? [] : [''])] }
}

function newSection({ text }: Note, line: string, day: string): Place {
  const section = ['## Retain', '', line]
  if (text.trim() === '') return { after: -1, lines: [`# ${day}`, '', ...section] }
  return { after: -1, lines: endsInBlankLine(text) ? section : ['', ...section] }
}

function endsInBlankLine(text: string): boolean {
  const body = text.slice(0, text.length - lineEndAt(text, text.length - 1).length)
  const lastLine = body.slice(Math.max(body.lastIndexOf('\n'), body.lastIndexOf('\r')) + 1)
  return body.length < text.length && lastLine.trim() === ''
}

/** The line end whose last character stands here; empty where none does. */
function lineEndAt(text: string, at: number): string {
  if (text[at] === '\n' && text[at - 1] === '\r') return '\r\n'
  return text[at] === '\n' || text[at] === '\r' ? text[at] : ''
}

function tryPlace(note: Note, { after, lines }: Place): NoteWithFact | undefined {
  const { text, options } = note
  const { offset, isOpen, lineEnd } = gapBehind(note, after)
  const block = `${isOpen ? lineEnd : ''}${lines.join(lineEnd)}${lineEnd}`
  const written = readNote(text.slice(0, offset) + block + text.slice(offset), options)
  const fact = addedTo(note, written)
  return fact === undefined || !keepsLines(note, written, offset) ? undefined : { text: written.text, fact, others: note.facts }
}

/** Where the next line begins; `isOpen`: the line before has no line end yet. */
function gapBehind(
  { text, parsed }: Note,
  after: number,
): { readonly offset: number; readonly isOpen: boolean; readonly lineEnd: string } {
  const { ends } = parsed.outline
  const end = after === -1 ? text.length : (ends[after] ?? text.length)
  const own = text.startsWith('\r\n', end) ? '\r\n' : lineEndAt(text, end)
  const offset = end + own.length
  const last = lineEndAt(text, Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)))
  const isOpen = offset > 0 && lineEndAt(text, offset - 1) === ''
  return { offset, isOpen, lineEnd: last === '' ? '\n' : last }
}

/** The one fact that the new text has more, where all others read as before. */
function addedTo(before: Note, after: Note): PlacedFact | undefined {
  if (after.facts.length !== before.facts.length + 1) return undefined
  const at = before.facts.findIndex((fact, index) => !isSame(fact, after.facts[index]))
  const index = at === -1 ? before.facts.length : at
  const isKept = before.facts.slice(index).every((fact, next) => isSame(fact, after.facts[index + 1 + next]))
  return isKept ? after.facts[index] : undefined
}

function isSame(fact: PlacedFact, other: PlacedFact | undefined): boolean {
  return other !== undefined && said(fact) === said(other)
}

function said({ startLine, endLine, ...fact }: PlacedFact): string {
  return JSON.stringify([fact, endLine - startLine])
}

/** Whether all lines that stood there are still lines of the same kind. */
function keepsLines(before: Note, after: Note, offset: number): boolean {
  const length = after.text.length - before.text.length
  const { starts, kinds } = after.parsed.outline
  const kept = kinds.filter((kind, line) => {
    const start = starts[line] ?? 0
    return kind !== 'blank' && (start < offset || start >= offset + length)
  })
  const had = before.parsed.outline.kinds.filter((kind) => kind !== 'blank')
  return kept.join() === had.join()
}
