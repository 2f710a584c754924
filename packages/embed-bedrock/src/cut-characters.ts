import { failureError } from '@mnemark/provider-kit'
import type { Truncation } from './forms.ts'

let graphemes: Intl.Segmenter | undefined

/**
 * Texts that all stay within the characters the service counts before it does anything else. Where nothing may be cut, one that does not
 * is `input-too-long` before anything is sent; else it is cut between graphemes, so that no emoji is split.
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

/** Counted as JSON Schema does, in code points; most texts are short enough in any unit. */
const isBeyond = (text: string, most: number): boolean => text.length > most && [...text].length > most

function cut(text: string, most: number, truncate: Truncation): string {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const segments = graphemes.segment(text)
  if (truncate === 'end') return text.slice(0, segments.containing(most)?.index)
  const from = segments.containing(text.length - most)
  // A border is where a grapheme begins; within one, the next begins after it.
  return text.slice(
    from === undefined || from.index === text.length - most ? text.length - most : from.index + from.segment.length,
  )
}
