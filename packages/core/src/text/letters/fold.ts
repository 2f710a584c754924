import { asciiDigit } from './normal-letters.ts'

const ASCII = /^[\0-\x7f]*$/
/** Plain ideographs, kana and Hangul syllables have one form. */
const FOLDED_ALREADY = /^[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3]+$/
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff]/gu
/** Marks that only help reading: Latin, Greek and Cyrillic accents, Hebrew points, Arabic harakat. Vowel signs of Indic scripts and Thai tones spell other words and stay. */
const OPTIONAL_MARKS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u08d3-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff]/gu
const DIGITS = /\p{Nd}/gu
const LETTERS: Readonly<Record<string, string>> = {
  // Arabic, with Persian and Urdu variants: one form each of alef, ya, ha, kaf and the hamza carriers.
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ٲ: 'ا',
  ٳ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ې: 'ي',
  ے: 'ي',
  ۓ: 'ي',
  ئ: 'ي',
  ؤ: 'و',
  ة: 'ه',
  ۃ: 'ه',
  ہ: 'ه',
  ھ: 'ه',
  ە: 'ه',
  ۀ: 'ه',
  ۂ: 'ه',
  ک: 'ك',
  ڪ: 'ك',
  // Final forms of Hebrew letters.
  ך: 'כ',
  ם: 'מ',
  ן: 'נ',
  ף: 'פ',
  ץ: 'צ',
  // Latin letters that do not decompose, and the Greek final sigma.
  ß: 'ss',
  ı: 'i',
  đ: 'd',
  ð: 'd',
  ø: 'o',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ς: 'σ',
}
const FOLDED_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu')

/**
 * Comparable form of a word: NFKC, lower case, without optional marks, with letter variants and digits unified. `Café`
 * and `cafe`, `قَرَّرَ` and `قرر`, `٢٠٢٦` and `2026` are equal; `हिन्दी` keeps its vowel signs.
 */
export function foldWord(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase()
  if (FOLDED_ALREADY.test(word)) return word
  const decomposed = word.normalize('NFKC').toLowerCase().normalize('NFD').replace(INVISIBLE, '')
  // Hamza and madda are combining in NFD: composed letters are unified first, then the remaining marks are removed.
  return decomposed
    .replace(OPTIONAL_MARKS, '')
    .normalize('NFC')
    .replace(FOLDED_LETTERS, (letter) => LETTERS[letter] ?? letter)
    .replace(DIGITS, asciiDigit)
}
