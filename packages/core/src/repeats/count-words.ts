import { foldWord } from '../text/letters/fold.ts'
import { hasNoGrams, isStopWord } from '../text/stems/stop-words.ts'

const WORD = /\p{L}[\p{L}\p{M}'’]*/gu
/** Scripts written without gaps; their words have about two letters. */
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Whether a text has roughly `least` words of letters or more; runs on every entry, so it uses no dictionary. */
export function hasWords(text: string, least: number): boolean {
  let count = 0
  WORD.lastIndex = 0
  for (let match = WORD.exec(text); match !== null && count < least; match = WORD.exec(text)) {
    count += UNSPACED.test(match[0]) ? Math.ceil(match[0].length / 2) : 1
  }
  return count >= least
}

/** Whether a text has a word other than function words. */
export function hasContentWord(text: string): boolean {
  WORD.lastIndex = 0
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const term = foldWord(match[0])
    if (!hasNoGrams(term) && !isStopWord(term, undefined)) return true
  }
  return false
}
