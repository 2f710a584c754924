import { failureError } from '@mnemark/provider-kit'
import type { Truncation } from './forms.ts'

let graphemes: Intl.Segmenter | undefined

/**
 * Keeps texts within the number of characters that the service checks first. If nothing may be cut, a longer text is
 * `input-too-long` before anything is sent; else it is cut between graphemes, so that no emoji is split.
 */
export function withinCharacters(texts: readonly string[], most: number, truncate: Truncation): readonly string[] {
  const inputIndexes = texts.flatMap((text, index) => (isBeyond(text, most) ? [index] : []))
  if (inputIndexes.length === 0) return texts
  if (truncate === 'none')
    throw failureError({
      code: 'input-too-long',
      summary: `a text has more than ${most} characters`,
      nextStep: 'Send it in pieces, or set truncate.',
      inputIndexes,
    })
  return texts.map((text, index) => (inputIndexes.includes(index) ? cut(text, most, truncate) : text))
}

/** Counted in code points, as JSON Schema does; most texts are short enough in any unit. */
const isBeyond = (text: string, most: number): boolean => text.length > most && [...text].length > most

function cut(text: string, most: number, truncate: Truncation): string {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const segments = graphemes.segment(text)
  if (truncate === 'end') return text.slice(0, segments.containing(most)?.index)
  const from = segments.containing(text.length - most)
  // The start of a grapheme is a border; within one, the next border is after it.
  return text.slice(
    from === undefined || from.index === text.length - most ? text.length - most : from.index + from.segment.length,
  )
}
