import { foldWord } from '../../text/letters/fold.ts'

/** Longer names are compared by their beginning. */
const MAX_NAME = 300
const APOSTROPHES = /['’‘ʼʻ`´′]/gu
/** Letters and digits, the signs of `C++` and `C#`, emoji: everything else only separates the words of a name. */
const PARTS = /[\p{L}\p{M}\p{N}]+(?:\+\+|#)?|\p{Extended_Pictographic}/gu

/**
 * Common form of all spellings of a name: `Moravec's Paradox`, `moravecs paradox`, `Moravec’s-Paradox` and
 * `MORAVECS_PARADOX` are one name. Case, accents, apostrophes, white space and separators do not count; adjacent
 * numbers stay apart. '' where nothing is left.
 */
export function nameKey(name: string): string {
  const folded = foldWord(name.slice(0, MAX_NAME).replace(APOSTROPHES, ''))
  let key = ''
  for (const [part] of folded.matchAll(PARTS)) key += /\p{N}$/u.test(key) && /^\p{N}/u.test(part) ? ` ${part}` : part
  return key
}
