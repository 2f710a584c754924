import { isKeyLike, isMixed, KEY_WORD, PASSWORD_WORD } from './secret-words.ts'
import type { Range } from './ranges.ts'

const LONGEST_LABEL = 120
const LONGEST_LINE = 500
/** How many lines below a label are searched. */
const REACH = 30
/** A line that ends with the label word, with or without a colon: its value is below. */
const TAIL = String.raw`[\p{L}\p{N}_-]{0,20}(?:[ \t]{1,3}[^\s:=|,.;!?]{1,30}){0,4}[)"'\x60*_]{0,4}[ \t]{0,4}([:：]?)[)"'\x60*_]{0,4}[ \t]{0,20}$`
const PASSWORD_LINE = new RegExp(String.raw`(?:${PASSWORD_WORD}|(?<![\p{L}\p{N}])pins?(?![\p{L}\p{N}]))${TAIL}`, 'iu')
const KEY_LINE = new RegExp(String.raw`(?:${KEY_WORD})${TAIL}`, 'iu')
const ITEM = /^[ \t]{0,20}(?:>[ \t]?|[-*+][ \t]{1,4}|\d{1,3}[.)][ \t]{1,4}){0,3}/u
/** A named value, such as `router: tulip42` or `router – tulip42`. */
const NAMED = /^[^:=：\n]{1,60}(?:[:=：]| [—–-] )[ \t"'`*_]{0,6}([^\s"'`*|]{4,200})["'`*_]{0,4}[ \t]{0,4}$/du
const SINGLE = /^["'`*_]{0,4}([^\s"'`*|]{4,400})["'`*_]{0,4}[ \t]{0,4}$/du

/** Finds values below a line that ends with a word for passwords or keys: a single value, or a list of names and values. */
export function secretsBelow(text: string): readonly Range[] {
  const ranges: Range[] = []
  let label: { readonly isPassword: boolean; readonly hasColon: boolean; left: number; seen: number } | null = null
  let offset = 0
  for (const raw of text.split('\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    const found = labelOf(line)
    if (label !== null && /^[\s>]*$/u.test(line)) {
      if (label.seen > 0) label = null
    } else if (label !== null && /^\s{0,3}(?:```|~~~)/u.test(line)) {
      // A code fence around the value.
    } else if (label !== null && found === null) {
      const range = valueOf(line, label)
      if (range === null) label = null
      else {
        ranges.push([offset + range[0], offset + range[1]])
        label.seen += 1
        label.left -= 1
        if (label.left === 0) label = null
      }
    }
    if (found !== null) label = { ...found, left: REACH, seen: 0 }
    offset += raw.length + 1
  }
  return ranges
}

function labelOf(line: string): { readonly isPassword: boolean; readonly hasColon: boolean } | null {
  if (line.length > LONGEST_LABEL || line.includes('=')) return null
  const password = PASSWORD_LINE.exec(line)
  const found = password ?? KEY_LINE.exec(line)
  if (found === null) return null
  return { isPassword: password !== null, hasColon: found[1] !== '' || /^\s{0,3}#/u.test(line) }
}

function valueOf(line: string, { isPassword, hasColon }: { isPassword: boolean; hasColon: boolean }): Range | null {
  if (line.length > LONGEST_LINE) return null
  const from = ITEM.exec(line)?.[0].length ?? 0
  const rest = line.slice(from)
  const single = SINGLE.exec(rest)?.indices?.[1]
  const group = single ?? NAMED.exec(rest)?.indices?.[1]
  if (group === undefined) return null
  const value = rest.slice(...group)
  if (value.includes('](')) return null
  const isSecret = isPassword
    ? isMixed(value) || (hasColon && single !== undefined && !/[.!?:]$/u.test(value))
    : value.length >= 8 && isKeyLike(value) && /^[\w+/=.:-]+$/u.test(value)
  return isSecret ? [from + group[0], from + group[1]] : null
}
