import { hasContentWord, hasWords } from './count-words.ts'
import { leadingDate } from './leading-date.ts'
import { afterBullet } from './plain-lines.ts'

/** An entry split into the part that all its versions share, and the values in which they differ. */
export interface Wording {
  /** The words with one sign for each value; equal for two versions of an entry. */
  readonly text: string
  /** The values in order, each with the characters joined to it: `INV-4711`, `1,050 euro`. */
  readonly values: readonly string[]
  /** The day at the beginning of the entry, YYYY-MM-DD. */
  readonly day?: string | undefined
  readonly time?: string | undefined
}

/** A longer line is data or a whole text, and is not searched for values. */
const LONGEST_ENTRY = 2_000
const VALUE_SIGN = '\u0001'
/** Marks of emphasis and code are ignored; a strike-through has a meaning. */
const LAST_STOP = /[.,;!。，；।۔،]$/u
const EMPHASIS = /\*\*|__|`/g

/** A number from its first digit on. */
const NUMBER = /\p{Nd}+(?:(?:[ \u00a0\u2009\u202f]\p{Nd}{3}(?!\p{Nd}))+(?:[.,٫]\p{Nd}+)?|(?:[.,:/_'’٫٬·‐‑–—-]\p{Nd}+)*)/uy
/** Text before a number: a sign, if it joins nothing before it, and the sign of a currency. */
const BEFORE_NUMBER = /(?:(?:^|[\s([|:=])([-−+±~≈<>≤≥]\s?)|)(\p{Sc}\s?)?$/u
const LONGEST_BEFORE = 5
/** Units of money and measure that are separate words; short ones that are also common words stay in the wording. */
const UNITS = [
  'eur|usd|gbp|chf|jpy|cny|rmb|inr|rub|try|ils|thb|sar|aed|egp|krw|brl|cad|aud|sek|nok|dkk|pln|euros?|dollars?|pounds?|cents?|yen|yuan|rupees?|roubles?|rubles?|kr',
  'mcg|µg|μg|mg|kg|g|ml|cl|dl|l|mm|cm|km|m|ft|lbs?|oz|mph|km\\/h|kmh|ms|sec|min|hrs?|h|hours?|minutes?|seconds?|days?|weeks?|months?|years?|v|w|kw|kwh|mah|hz|khz|mhz|ghz|kb|mb|gb|tb|kib|mib|gib|px|bar|psi|kcal|bpm|[ap]m',
  'руб(?:л[а-я]+)?|евро|доллар[а-я]*|кг|мг|мл|км|см|г|м|л',
  'يورو|دولار[ًا]*|ريال[ًا]*|درهم[ًا]*|جنيه[ًا]*|دينار[ًا]*|ليرة|كغ|كجم|ملغ|مل|كم',
  'ש"ח|שח|שקל(?:ים)?|אירו|יורו|דולר(?:ים)?',
  'रुपये|रुपए|रुपया|यूरो|डॉलर',
].join('|')
const UNSPACED_UNITS = '欧元|歐元|美元|日元|人民币|元|块|塊|円|ユーロ|ドル|公斤|毫克|毫升|公里|度|บาท|ยูโร|ดอลลาร์|유로|달러|원'
const UNIT = new RegExp(
  String.raw`\s?(?:[%٪％‰℃℉]|°\s?[CF]?|\p{Sc}|(?:${UNITS})(?![\p{L}\p{M}\p{N}])|(?:${UNSPACED_UNITS}))`,
  'iuy',
)
const ASCII_DIGIT = /[0-9]/g
const ANY_DIGIT_GLOBAL = /\p{Nd}/gu
const ASCII = /^[\0-\x7f]*$/
/** Characters that may be joined to a number. Han and Thai are left out: they write a whole clause without a gap. */
const JOINED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_.\-/:@#+]/u
const ASCII_JOINED = /[A-Za-z0-9_.\-/:@#+]/
const JOINED_END = /[.\-/:@#+_]$/
const LONGEST_PIECE = 200

/** Runs on every entry; the class of all digits is slow, and most texts have none beyond ASCII. */
export function hasDigit(text: string): boolean {
  return /[0-9]/.test(text) || (!ASCII.test(text) && /\p{Nd}/u.test(text))
}

/** The wording of an entry; undefined where it has no value, or too few words to recognise versions by. */
export function wordingOf(entry: string): Wording | undefined {
  if (entry.length > LONGEST_ENTRY || !hasDigit(entry)) return undefined
  const from = afterBullet(entry)
  const lead = leadingDate(entry, from)
  const body = lead === undefined ? entry.slice(from) : `${entry.slice(from, lead.start)}${entry.slice(lead.end)}`
  const places = valuesOf(body)
  if (places.length === 0) return undefined
  let words = ''
  let at = 0
  for (const [start, end] of places) {
    words += body.slice(at, start) + VALUE_SIGN
    at = end
  }
  words += body.slice(at)
  // Needs two words, one of them outside the values and no function word: `5 euro` and `it is 5` fit anything.
  if (!hasWords(body, 2) || !hasContentWord(words)) return undefined
  const text = words.normalize('NFC').toLowerCase().replace(EMPHASIS, '').replace(/\s+/gu, ' ').trim().replace(LAST_STOP, '')
  return { text, values: pieces(body, places), day: lead?.day, time: lead?.time }
}

type Place = readonly [start: number, end: number]

/** Every number with its sign, currency and unit. Digits are searched first: most text has none. */
function valuesOf(body: string): Place[] {
  const digit = ASCII.test(body) ? ASCII_DIGIT : ANY_DIGIT_GLOBAL
  const places: Place[] = []
  for (let at = 0; at < body.length; ) {
    digit.lastIndex = at
    const first = digit.exec(body)?.index
    if (first === undefined) break
    const before = BEFORE_NUMBER.exec(body.slice(Math.max(at, first - LONGEST_BEFORE), first))
    const start = first - (before?.[1]?.length ?? 0) - (before?.[2]?.length ?? 0)
    const end = lastOf(UNIT, body, lastOf(NUMBER, body, first))
    places.push([start, end])
    at = end
  }
  return places
}

/** End of a sticky pattern that begins at `from`; `from` where it does not match. */
function lastOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}

/** Each value with the letters joined to it; values joined to each other are one. */
function pieces(body: string, places: readonly Place[]): string[] {
  const joined: [number, number][] = []
  for (const [from, to] of places) {
    let [start, end] = [from, to]
    const least = Math.max(0, from - LONGEST_PIECE)
    while (start > least && isJoined(body, start - 1)) start -= 1
    while (end < Math.min(body.length, to + LONGEST_PIECE) && isJoined(body, end)) end += 1
    while (end > to && JOINED_END.test(body.slice(end - 1, end))) end -= 1
    const last = joined.at(-1)
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined.map(([start, end]) => body.slice(start, end).trim())
}

function isJoined(text: string, at: number): boolean {
  return (text.charCodeAt(at) < 0x80 ? ASCII_JOINED : JOINED).test(text.charAt(at))
}

const ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'

/** 60 bits of the wording as ten letters: the term by which versions of an entry are found. */
export function wordingHash({ text }: Pick<Wording, 'text'>): string {
  let [left, right] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    left = Math.imul(left ^ code, 0x9e3779b1)
    right = Math.imul(right ^ code, 0x5f356495)
  }
  left = scatter(left ^ right)
  right = scatter(right ^ Math.imul(left, 0x85ebca6b))
  let term = ''
  for (const half of [left, right]) for (let shift = 0; shift < 30; shift += 6) term += ALPHABET.charAt((half >>> shift) & 63)
  return term
}

/** The last mix of MurmurHash3. */
function scatter(hash: number): number {
  let state = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}
