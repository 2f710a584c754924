import { isVisible } from '../document/markdown/plain-text.ts'

/** Text without the ranges that are cited but not indexed; the words around a cut stay apart. */
export function indexedText(text: string, unindexed: readonly (readonly [start: number, end: number])[] = []): string {
  if (unindexed.length === 0) return text
  let kept = ''
  let from = 0
  for (const [start, end] of unindexed) {
    kept = joined(kept, text.slice(from, start))
    from = Math.max(from, end)
  }
  return joined(kept, text.slice(from)).trim()
}

function joined(left: string, right: string): string {
  return left === '' || right === '' || /\s$/.test(left.slice(-1)) || /^\s/.test(right) ? left + right : `${left} ${right}`
}

/** Title and heading trail of a chunk without repetitions, from content only. */
export function contextOf(title: string | undefined, headingTrail: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return [title ?? '', ...headingTrail].filter((part) => {
    const key = part.toLowerCase()
    if (key === '' || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/**
 * The text of a chunk that is embedded and whose hash is the key of its vector: context, blank line, text. Empty where
 * no text is visible: a heading alone is not embedded.
 */
export function embeddingInputText(title: string | undefined, headingTrail: readonly string[], indexed: string): string {
  const body = isVisible(indexed) ? indexed.trim() : ''
  const context = contextOf(title, headingTrail).join(' > ')
  return body === '' || context === '' ? body : `${context}\n\n${body}`
}
