import type { StoredChunk } from '@mnemark/spec'

/**
 * The text of chunks that follow each other. A chunk may begin with lines, or with a part of a line, that the one before ends with: these stand
 * once. Time is linear in the text.
 */
export function joinedChunks([first, ...others]: readonly StoredChunk[]): string {
  const parts = [first?.text ?? '']
  let end = parts[0] ?? ''
  let endLine = first?.endLine ?? 0
  for (const { text, startLine, endLine: last } of others) {
    const shared = endLine - startLine + 1
    const repeated = shared <= 0 ? 0 : overlapOf(lastLines(end, shared), text)
    parts.push('\n'.repeat(Math.max(0, 1 - shared)) + text.slice(repeated))
    // The next chunk repeats no more than this one holds.
    end = text
    endLine = last
  }
  return parts.join('')
}

function lastLines(text: string, count: number): string {
  return text.split('\n').slice(-count).join('\n')
}

/** Length of the longest end of `before` that `after` begins with. */
function overlapOf(before: string, after: string): number {
  const fallback = [0]
  const step = (from: number, sign: string | undefined): number => {
    let matched = from
    while (matched > 0 && (matched === after.length || after[matched] !== sign)) matched = fallback[matched - 1] ?? 0
    return after[matched] === sign ? matched + 1 : matched
  }
  for (let at = 1; at < after.length; at += 1) fallback.push(step(fallback[at - 1] ?? 0, after[at]))
  let matched = 0
  for (const sign of before.slice(-after.length).split('')) matched = step(matched, sign)
  return matched
}
