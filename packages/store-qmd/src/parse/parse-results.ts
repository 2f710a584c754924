import { stripVTControlCharacters } from 'node:util'

/** One result of the program's JSON, checked only in part: `file` is a text, other members are checked where they are used. */
export interface RawResult {
  readonly file: string
  readonly score: number
  readonly snippet: string
  readonly line: number | null
}

const NO_RESULTS = /^\s*no results\b/im
/** Where a list of objects, or an empty list, may begin; log lines begin with `[name]`. */
const LIST_START = /\[(?=\s*[{\]])/g
/** Limit of attempts, for a log full of brackets. */
const MAX_STARTS = 32

/** The results in the program's output, among any other text; null where none can be read. */
export function parseResults(printed: string): readonly RawResult[] | null {
  const output = stripVTControlCharacters(printed)
  let isEmptyList = false
  let starts = 0
  for (const { index } of output.matchAll(LIST_START)) {
    starts += 1
    if (starts > MAX_STARTS) break
    const list = parseListAt(output, index)
    if (list === null) continue
    const results = list.map(readResult)
    if (results.every((result) => result !== null) && results.length > 0) return results
    // An empty list inside truncated output is not the answer.
    const isAtLineStart = index === 0 || output[index - 1] === '\n' || output[index - 1] === '\r'
    if (list.length === 0 && isAtLineStart) isEmptyList = true
  }
  return isEmptyList || NO_RESULTS.test(output) ? [] : null
}

function parseListAt(text: string, start: number): readonly unknown[] | null {
  const end = endOfList(text, start)
  if (end === -1) return null
  try {
    const value: unknown = JSON.parse(text.slice(start, end))
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** Position after the bracket that closes the one at `start`; -1 where the text ends before. */
function endOfList(text: string, start: number): number {
  let depth = 0
  let isInText = false
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at]
    if (isInText) {
      if (sign === '\\') at += 1
      else if (sign === '"') isInText = false
    } else if (sign === '"') isInText = true
    else if (sign === '[' || sign === '{') depth += 1
    else if (sign === ']' || sign === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return -1
}

function readResult(value: unknown): RawResult | null {
  if (typeof value !== 'object' || value === null || !('file' in value) || typeof value.file !== 'string') return null
  const score = 'score' in value ? Number(value.score) : 0
  const line = 'line' in value ? Number(value.line) : Number.NaN
  const text = 'snippet' in value ? value.snippet : 'body' in value ? value.body : ''
  return {
    file: value.file,
    score: Number.isFinite(score) ? Math.min(1, Math.max(0, score)) : 0,
    snippet: typeof text === 'string' ? text : '',
    line: Number.isSafeInteger(line) && line >= 1 ? line : null,
  }
}
