/** Words in which `\n` is meant as it stands. */
const CODE_LIKE: readonly RegExp[] = [
  /\\(?!n)/u, // another escape or a path with other folders
  /^[a-z]:\\/iu, // C:\new
  /\.\w{1,5}$/u, // bin\node.exe
  /^\/.*\/[a-z]*$/u, // /a\nb/g
  /(["'])[^"']*\\n[^"']*\1/u, // "a\nb"
  /[[({][^\])}]*\\n/u, // split(\n
  /\\n(?:abla|eq?|eg|otin|u|ewline|oindent)(?![a-z])/u, // x\neq y
  /[|^]\S*\\n|\\n[*+?$|]/u, // ^a\n+
]
/** Text further back in one word says nothing about its beginning. */
const LONGEST_WORD = 200
/** `\n` before the start of a heading, list item, quote, fence or table, or twice after a word: it stood for a line break. */
const BLOCK_START = /\\n(?:\\r)?\s*(?:#{1,6}\s|[-*+>]\s|\d+[.)]\s|```|\|)|(?<=[^\s"'(])(?:\\r)?\\n(?:\\r)?\\n/u
const AFTER_WORD = /[\p{L}\p{N}][^\s\\]*\\n|[^\s\p{ASCII}]\\n|[.!?;:,]\\n/u

/**
 * Whether a text's line breaks arrived as the two characters `\` and `n`, as happens when an escaped string is passed on as it
 * is. A text with a real line break is taken at its word, and so are code spans, paths, patterns, quoted strings and a `\n`
 * standing alone.
 */
export function hasEscapedNewlines(text: string): boolean {
  if (/[\n\r]/u.test(text) || !text.includes('\\n')) return false
  const prose = text.replace(/(?<!`)(`+)(?!`)[^`]*\1/gu, ' ')
  if (BLOCK_START.test(prose)) return true
  const words = prose.split(/\s+/u).map((word) => word.slice(0, LONGEST_WORD))
  return words.some((word) => AFTER_WORD.test(word) && !CODE_LIKE.some((pattern) => pattern.test(word)))
}
