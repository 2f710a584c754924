/** A query in comparable form that maps back to its own characters. */
export interface FoldedQuery {
  readonly text: string
  /** Range [start, end) of the original for a range of `text`; marks that folding dropped belong to the letter before them. */
  originalRange(start: number, end: number): readonly [start: number, end: number]
}

// Combining marks, bidi controls, tatweel. In the scripts of India and South-East Asia all marks but the nukta are letters.
const DROPPED = /^(?:(?![\u0900-\u0e7f\u0e80-\u109f\u1780-\u17ff])\p{Mn}|[\p{Cf}\u0640\u093c\u09bc])$/u
const SPACE = /^\s$/u
/** Variants of Arabic letters, the dotless i of Turkish, the typographic apostrophe. */
const LETTERS: Readonly<Record<string, string>> = { ٱ: 'ا', ى: 'ي', ی: 'ي', ې: 'ي', ة: 'ه', ک: 'ك', ı: 'i', '’': "'" }
// Zeros of the common decimal digits beside ASCII; NFKD folds the full-width ones.
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0x1040, 0x17e0]

/** Lower case, single spaces, compatibility forms unified, accents, vowel signs and Arabic letter variants folded, digits of any script as 0 to 9. */
export function foldQuery(query: string): FoldedQuery {
  const starts: number[] = []
  const ends: number[] = []
  let text = ''
  let endsInSpace = false
  for (let offset = 0; offset < query.length; ) {
    const end = characterEnd(query, offset)
    const character = query.slice(offset, end)
    const isSpace = SPACE.test(character)
    // Runs of spaces become one, so that patterns look back over one character and never over a long run.
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

/** End of a code point, or of a Hangul syllable stored in its parts, as macOS writes file names. */
function characterEnd(query: string, at: number): number {
  const code = query.codePointAt(at) ?? 0
  if (code < 0x1100 || code > 0x115f || !isBetween(query.charCodeAt(at + 1), 0x1160, 0x11a7)) return at + (code > 0xffff ? 2 : 1)
  return at + (isBetween(query.charCodeAt(at + 2), 0x11a8, 0x11ff) ? 3 : 2)
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last
}

function foldCharacter(character: string): string {
  if (character >= '\u0000' && character <= '\u007f') return character.toLowerCase()
  let folded = ''
  for (const part of character.normalize('NFKD').toLowerCase()) {
    if (!DROPPED.test(part)) folded += LETTERS[part] ?? asciiDigit(part) ?? part
  }
  // Syllables of Hangul stay whole.
  return folded.normalize('NFC')
}

function asciiDigit(character: string): string | undefined {
  const code = character.charCodeAt(0)
  for (const zero of ZEROS) {
    if (code >= zero && code <= zero + 9) return String(code - zero)
  }
  return undefined
}
