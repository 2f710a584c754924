import type { CallerContext, ReadReply, ReadRequest, SearchHit } from '@mnemark/spec'
import { WorkspaceError } from '@mnemark/spec'
import type { RawResult } from '../parse/parse-results.ts'
import { makeSnippet } from './make-snippet.ts'
import { linesOf, type ResultLines, type ResultPlace } from './result-place.ts'

export interface HitRequest {
  readonly query: string
  readonly caller: CallerContext
  readonly limit: number
  readonly maxSnippetCharacters: number
  readonly citations: 'on' | 'off' | 'auto'
  /** Null where the result belongs to no collection of ours, or is filtered. */
  readonly placeOf: (result: RawResult) => ResultPlace | null
  /** Reads by the displayed path. */
  readonly read: (request: ReadRequest) => Promise<ReadReply>
  readonly signal?: AbortSignal | undefined
}
export interface Hits {
  readonly hits: readonly SearchHit[]
  /** True where a file has changed or was deleted since the program read it. */
  readonly isStale: boolean
}

/** Most lines searched for text that moved. */
const SEARCHED_LINES = 100_000

/** Hits with text, lines and citation from the current file; a file that may not be read is not shown either. */
export async function makeHits(results: readonly RawResult[], request: HitRequest): Promise<Hits> {
  const hits: SearchHit[] = []
  const seen = new Set<string>()
  let isStale = false
  const ordered = [...results].sort((left, right) => right.score - left.score)
  for (const result of ordered) {
    if (hits.length >= request.limit) break
    const place = request.placeOf(result)
    if (place === null) continue
    const found = await readPlace(place, linesOf(result), request)
    if (found === 'refused') continue
    isStale ||= found === 'gone' || found.hasMoved
    if (found === 'gone') continue
    const hit = hitOf({ result, place, found, request })
    if (!seen.has(hit.citation)) hits.push(hit)
    seen.add(hit.citation)
  }
  return { hits, isStale }
}

interface FoundLines {
  readonly text: string
  readonly startLine: number
  readonly endLine: number
  readonly hasMoved: boolean
}

async function readPlace(
  place: ResultPlace,
  lines: ResultLines,
  { read, caller, signal }: HitRequest,
): Promise<FoundLines | 'gone' | 'refused'> {
  const readLines = (from: number, count: number): Promise<ReadReply> =>
    read({ path: place.shown, from, lines: count, caller, signal })
  try {
    const reply = await readLines(lines.from, lines.lines)
    if (reply.status !== 'ok') return 'gone'
    if (holds(rowsOf(reply.text), lines.text)) return trimmed(reply, false)
    const moved = startOf(rowsOf((await readLines(1, SEARCHED_LINES)).text), lines.text)
    if (moved !== null) return trimmed(await readLines(moved, lines.lines), true)
    return reply.text.trim() === '' ? 'gone' : trimmed(reply, true)
  } catch (error) {
    if (WorkspaceError.isInstance(error) && error.code === 'refused') return 'refused'
    if (WorkspaceError.isInstance(error) && error.code === 'unreadable') return 'gone'
    throw error
  }
}

function rowsOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/).map((row) => row.trimEnd())
}

function holds(rows: readonly string[], wanted: readonly string[], at = 0): boolean {
  return wanted.every((row, index) => rows[at + index] === row || (row === '' && rows[at + index] === undefined))
}

/** The line of the rows, where they occur once. */
function startOf(rows: readonly string[], wanted: readonly string[]): number | null {
  if (wanted.every((row) => row === '')) return null
  const starts = rows.flatMap((_, at) => (holds(rows, wanted, at) ? [at + 1] : []))
  return starts.length === 1 ? (starts[0] ?? null) : null
}

/** Without blank lines at its ends. */
function trimmed(reply: ReadReply, hasMoved: boolean): FoundLines {
  const rows = rowsOf(reply.text)
  const first = Math.max(
    0,
    rows.findIndex((row) => row.trim() !== ''),
  )
  const last = Math.max(
    first,
    rows.findLastIndex((row) => row.trim() !== ''),
  )
  return {
    text: rows.slice(first, last + 1).join('\n'),
    startLine: reply.startLine + first,
    endLine: reply.startLine + last,
    hasMoved,
  }
}

interface HitParts {
  readonly result: RawResult
  readonly place: ResultPlace
  readonly found: FoundLines
  readonly request: HitRequest
}

function hitOf({ result, place, found, request }: HitParts): SearchHit {
  const { startLine, endLine } = found
  const citation = `${place.shown}#L${startLine}-L${endLine}`
  const isCited = request.citations === 'on' || (request.citations === 'auto' && request.caller.chatType === 'direct')
  const ending = isCited ? `\nSource: ${citation}` : ''
  const room = Math.max(1, request.maxSnippetCharacters - ending.length)
  const { snippet, highlights, lineOffset, lineOffsets, share } = makeSnippet(found.text, request.query, room)
  return {
    source: place.collection.source,
    path: place.shown,
    startLine,
    endLine,
    line: startLine + lineOffset,
    score: result.score,
    // QMD does not report how rare a word is, so each counts the same.
    share,
    snippet: snippet + ending,
    snippetLines: lineOffsets.map((offset) => startLine + offset),
    highlights,
    citation,
  }
}
