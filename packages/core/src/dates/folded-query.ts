/** A query made comparable, with the way back to its own characters. */
export interface FoldedQuery {
  readonly text: string
  /** Range [start, end) of the original for a range of `text`; marks that folding dropped belong to the letter before them. */
  originalRange(start: number, end: number): readonly [start: number, end: number]
}

const DROPPED = /^[\p{Mn}\p{Cf}\u0640]$/u // combining marks, bidi controls, tatweel
const SPACE = /^\s$/u
const ARABIC_LETTERS: Readonly<Record<string, string>> = { ٱ: 'ا', ى: 'ي', ی: 'ي', ې: 'ي', ة: 'ه', ک: 'ك' }
const ARABIC_INDIC_ZERO = 0x660
const EXTENDED_ARABIC_INDIC_ZERO = 0x6f0

/** Lower case, single spaces, compatibility forms unified, accents, vowel signs and Arabic letter variants folded, Arabic-Indic digits as 0 to 9. */
export function foldQuery(query: string): FoldedQuery {
  const starts: number[] = []
  const ends: number[] = []
  let text = ''
  let offset = 0
  let endsInSpace = false
  for (const character of query) {
    const end = offset + character.length
    const isSpace = SPACE.test(character)
    // Runs of spaces become one: patterns then look back over one character, never over a long run.
    const folded = isSpace ? (endsInSpace ? '' : ' ') : foldCharacter(character)
    for (let unit = 0; unit < folded.length; unit += 1) {
      starts.push(offset)
      ends.push(end)
    }
    if (folded === '' && ends.length > 0) ends[ends.length - 1] = end
    text += folded
    if (folded !== '') endsInSpace = isSpace
    offset = end
  }
  return { text, originalRange: (start, end) => [starts[start] ?? query.length, ends[end - 1] ?? query.length] }
}

function foldCharacter(character: string): string {
  if (character >= '\u0000' && character <= '\u007f') return character.toLowerCase()
  let folded = ''
  for (const part of character.normalize('NFKD').toLowerCase()) {
    if (!DROPPED.test(part)) folded += ARABIC_LETTERS[part] ?? asciiDigit(part) ?? part
  }
  return folded
}

function asciiDigit(character: string): string | undefined {
  const code = character.charCodeAt(0)
  for (const zero of [ARABIC_INDIC_ZERO, EXTENDED_ARABIC_INDIC_ZERO]) {
    if (code >= zero && code <= zero + 9) return String(code - zero)
  }
  return undefined
}
