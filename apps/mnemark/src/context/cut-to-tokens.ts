import { estimateTokens } from '@mnemark/core'
import { LINE_MARK } from '@mnemark/tools/envelope'

export interface KeptLines {
  /** From 1, inclusive. */
  readonly startLine: number
  readonly endLine: number
  readonly tokens: number
}

const lineTokens = (line: string): number => estimateTokens(`${LINE_MARK}${line}\n`)

/** Counts the tokens of lines as `cutToTokens` does. */
export function tokensOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + lineTokens(line), 0)
}

/** The lines at one end of a text that fit; null if not even one does. */
export function cutToTokens(lines: readonly string[], maxTokens: number, keep: 'beginning' | 'end'): KeptLines | null {
  let tokens = 0
  let count = 0
  while (count < lines.length) {
    const line = lines[keep === 'beginning' ? count : lines.length - 1 - count] ?? ''
    const more = lineTokens(line)
    if (tokens + more > maxTokens) break
    tokens += more
    count += 1
  }
  if (count === 0) return null
  return keep === 'beginning'
    ? { startLine: 1, endLine: count, tokens }
    : { startLine: lines.length - count + 1, endLine: lines.length, tokens }
}
