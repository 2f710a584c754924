/**
 * A run is the longest piece of text that a reader may see as one thing: words joined by single connectors, as in
 * `memorySearch.query.hybrid`, `src/core/index.ts`, `2026-03-14`, `it's`, `std::vector`, with the trailing signs of
 * `C++` and `C#`; or one emoji. White space and other punctuation end it. Texts are results of `readText`.
 */
const LETTER = String.raw`[\p{L}\p{N}_]`
const INSIDE = String.raw`[\p{L}\p{M}\p{N}_\u00ad\u0640\u200b-\u200d]`
// The sign is tested first, and the letter before it only then: this runs after every word.
const CONNECTOR = String.raw`(?:::|->|[-‐‑./\\:@&+~]|["״](?<=\p{Script=Hebrew}.)(?=\p{Script=Hebrew})|['’‘׳](?<=[\p{L}\p{M}].)(?=\p{L})|[,٬](?<=\p{Nd}.)(?=\p{Nd}{3,4}(?!\p{Nd})|\p{Nd}{2},\p{Nd}))`
const WORDS = String.raw`${LETTER}${INSIDE}*(?:${CONNECTOR}${LETTER}${INSIDE}*)*(?:\+\+|#(?![\p{L}\p{N}]))?`
const PICTURE = String.raw`\p{Extended_Pictographic}\p{EMod}?\ufe0f?`
const EMOJI = String.raw`\p{RI}{2}|[0-9#*]\ufe0f?\u20e3|${PICTURE}(?:\u200d${PICTURE})*`

const RUN = new RegExp(`${EMOJI}|${WORDS}`, 'gu')
const ASCII_RUN =
  /[A-Za-z0-9_]+(?:(?:::|->|[-./\\:@&+~]|'(?<=[A-Za-z].)(?=[A-Za-z])|,(?<=[0-9].)(?=[0-9]{3,4}(?![0-9])|[0-9]{2},[0-9]))[A-Za-z0-9_]+)*(?:\+\+|#(?![A-Za-z0-9]))?/g
const ASCII = /^[\0-\x7f]*$/

const isEmoji = new RegExp(`^(?:${EMOJI})`, 'u')

export function isEmojiRun(run: string): boolean {
  return (
    run.charCodeAt(0) > 0x22 &&
    !(run.charCodeAt(0) > 0x2f && run.charCodeAt(0) < 0x80 && !run.includes('\u20e3')) &&
    isEmoji.test(run)
  )
}

const WORD = 1
/** Signs between two words of one run, or after the last: `-./\\:@&+~,'`. */
const JOINT = 2
const SIGN = 3
const SPACE = 4
const APOSTROPHE = 0x27
const CLASSES = new Uint8Array(0x80)
for (let code = 0; code < 0x80; code += 1) {
  const character = String.fromCharCode(code)
  if (/[A-Za-z0-9_]/.test(character)) CLASSES[code] = WORD
  else if (/[-./\\:@&+~,']/.test(character)) CLASSES[code] = JOINT
  // They begin an emoji (`#\ufe0f\u20e3`) or end a word (`c#`).
  else if (/[#*]/.test(character)) CLASSES[code] = SIGN
  else if (/\s/.test(character)) CLASSES[code] = SPACE
}
const BEYOND_ASCII = 5

function classAt(text: string, at: number): number {
  // The end counts as a space.
  if (at >= text.length) return SPACE
  const code = text.charCodeAt(at)
  return code < 0x80 ? (CLASSES[code] ?? 0) : BEYOND_ASCII
}

/** Whether an ASCII word that ends at `end` may continue there: only the patterns can decide. */
function mayGoOn(text: string, end: number): boolean {
  const next = classAt(text, end)
  if (next === JOINT) return classAt(text, end + 1) !== SPACE
  return next === SIGN || next === BEYOND_ASCII
}

function isAsciiLetter(code: number): boolean {
  return (code | 0x20) > 0x60 && (code | 0x20) < 0x7b
}

/** The end of a contraction in plain ASCII whose first word ends at `end`, else `end`: `it's` is too frequent for a pattern. */
function contractionEnd(text: string, end: number): number {
  if (text.charCodeAt(end) !== APOSTROPHE || !isAsciiLetter(text.charCodeAt(end - 1)) || !isAsciiLetter(text.charCodeAt(end + 1)))
    return end
  let last = end + 2
  while (classAt(text, last) === WORD) last += 1
  return last
}

/** Calls `visit` with the place of every run of the text, [start, end), in order. Plain words, nearly all runs, need no pattern. */
export function eachRunPlace(text: string, visit: (start: number, end: number) => void): void {
  let pattern: RegExp | undefined
  for (let at = 0; at < text.length; ) {
    const kind = classAt(text, at)
    let end = at
    if (kind === WORD) {
      while (classAt(text, end) === WORD) end += 1
      end = contractionEnd(text, end)
    }
    if (end > at && !mayGoOn(text, end)) {
      visit(at, end)
      at = end
    } else if (kind === WORD || kind === BEYOND_ASCII || (kind === SIGN && classAt(text, at + 1) === BEYOND_ASCII)) {
      pattern ??= ASCII.test(text) ? ASCII_RUN : RUN
      // The pattern is shared and `visit` may walk another text, so the position is kept here and not in the pattern.
      pattern.lastIndex = at
      const match = pattern.exec(text)
      if (match === null) return
      at = pattern.lastIndex
      visit(match.index, at)
    } else at += 1
  }
}

/** Calls `visit` with every run of the text and its offset, in order. */
export function eachRun(text: string, visit: (run: string, offset: number) => void): void {
  eachRunPlace(text, (start, end) => visit(text.slice(start, end), start))
}
