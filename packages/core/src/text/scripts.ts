/**
 * Classes of scripts by how their words are found and compared. `unspaced` scripts (Thai, Lao, Khmer, Burmese) write
 * words without gaps and are cut by dictionary; `han` holds Han and kana, cut by dictionary and as bigrams.
 */
export type ScriptClass = 'latin' | 'greek' | 'cyrillic' | 'arabic' | 'hebrew' | 'han' | 'hangul' | 'unspaced' | 'other'

const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}々〆〇ーｰ]/u
const HANGUL = /\p{Script=Hangul}/u
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const ARABIC = /[\p{Script=Arabic}\u0640\u064b-\u0655\u0670]/u
const HEBREW = /\p{Script=Hebrew}/u
const LATIN = /\p{Script=Latin}/u
const GREEK = /\p{Script=Greek}/u
const CYRILLIC = /\p{Script=Cyrillic}/u

function classify(character: string): ScriptClass {
  if (HAN.test(character)) return 'han'
  if (HANGUL.test(character)) return 'hangul'
  if (UNSPACED.test(character)) return 'unspaced'
  if (ARABIC.test(character)) return 'arabic'
  if (HEBREW.test(character)) return 'hebrew'
  if (LATIN.test(character)) return 'latin'
  if (GREEK.test(character)) return 'greek'
  if (CYRILLIC.test(character)) return 'cyrillic'
  return 'other'
}

const CACHE_SIZE = 0x3000
const cache: (ScriptClass | undefined)[] = Array.from({ length: CACHE_SIZE })

/** Class of one code point; digits, marks and everything unlisted are `other`. */
export function scriptOf(codePoint: number): ScriptClass {
  if (codePoint < 0x80)
    return (codePoint > 0x60 && codePoint < 0x7b) || (codePoint > 0x40 && codePoint < 0x5b) ? 'latin' : 'other'
  if (codePoint >= 0x4e00 && codePoint <= 0x9fff) return 'han'
  if (codePoint >= 0xac00 && codePoint <= 0xd7a3) return 'hangul'
  if (codePoint >= CACHE_SIZE) return classify(String.fromCodePoint(codePoint))
  const known = cache[codePoint]
  if (known !== undefined) return known
  const found = classify(String.fromCodePoint(codePoint))
  cache[codePoint] = found
  return found
}

/** Whether a script shares no word with its neighbours: `iPhone手机` is two words, `الـAPI` too. */
export function standsApart(script: ScriptClass): boolean {
  return script === 'han' || script === 'hangul' || script === 'unspaced' || script === 'arabic' || script === 'hebrew'
}
