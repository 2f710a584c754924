/**
 * A run is the longest piece of text that may be one thing to a reader: words joined by single connectors, as in
 * `memorySearch.query.hybrid`, `src/core/index.ts`, `2026-03-14`, `std::vector`, with the trailing signs of `C++` and `C#`;
 * or one emoji. White space and other punctuation end it.
 */
const LETTER = String.raw`[\p{L}\p{N}_]`
const INSIDE = String.raw`[\p{L}\p{M}\p{N}_\u00ad\u0640\u200b-\u200d]`
const CONNECTOR = String.raw`(?:::|->|[-‐‑./\\:@&+~]|(?<=\p{Script=Hebrew})["״](?=\p{Script=Hebrew})|(?<=\p{Nd})[,٬](?=\p{Nd}{3}(?!\p{Nd})))`
const WORDS = String.raw`${LETTER}${INSIDE}*(?:${CONNECTOR}${LETTER}${INSIDE}*)*(?:\+\+|#(?![\p{L}\p{N}]))?`
const PICTURE = String.raw`\p{Extended_Pictographic}\p{EMod}?\ufe0f?`
const EMOJI = String.raw`\p{RI}{2}|[0-9#*]\ufe0f?\u20e3|${PICTURE}(?:\u200d${PICTURE})*`

const RUN = new RegExp(`${EMOJI}|${WORDS}`, 'gu')
const ASCII_RUN =
  /[A-Za-z0-9_]+(?:(?:::|->|[-./\\:@&+~]|(?<=[0-9]),(?=[0-9]{3}(?![0-9])))[A-Za-z0-9_]+)*(?:\+\+|#(?![A-Za-z0-9]))?/g
const ASCII = /^[\0-\x7f]*$/

const isEmoji = new RegExp(`^(?:${EMOJI})`, 'u')

export function isEmojiRun(run: string): boolean {
  return (
    run.charCodeAt(0) > 0x22 &&
    !(run.charCodeAt(0) > 0x2f && run.charCodeAt(0) < 0x80 && !run.includes('\u20e3')) &&
    isEmoji.test(run)
  )
}

/** Calls `visit` with every run of the text and its offset, in order. */
export function eachRun(text: string, visit: (run: string, offset: number) => void): void {
  const pattern = ASCII.test(text) ? ASCII_RUN : RUN
  // The pattern is shared and `visit` may walk another text, so the place is kept here and not in the pattern.
  for (let at = 0; at < text.length; ) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) return
    at = pattern.lastIndex
    visit(match[0], match.index)
  }
}
