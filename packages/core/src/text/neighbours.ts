import { analyseRunOnce } from './analyse.ts'
import { eachRun } from './runs.ts'

/** Digits with a blank or an apostrophe between groups: in threes, in fours (cards, accounts), as in telephone numbers. */
const GROUPED_DIGITS =
  /(?<![\d.,])(?:[1-9]\d{0,2}(?:[ '’]\d{3})+|\d{4}(?: \d{4})+(?: \d{1,4})?|(?:\+\d{1,3}|0\d{0,4}|\d{3})(?:[ -]\d{2,8}){2,6}|[A-Z]{2}\d{2}(?: [A-Z\d]{4}){2,7}(?: [A-Z\d]{1,3})?)(?![\d])/g
const MAY_HOLD_GROUPS = /\d[ '’-]\d\d|\d [A-Z\d]{4} /
const ARABIC_SCRIPT = /[\u0620-\u06d3]/
/** Letters of Persian, Urdu and related languages, or a zero-width non-joiner; and letters that only Arabic has. */
const PERSIAN = /[پچژگکیےھہں\u200c]/
const ARABIC_ONLY = /[يكةىأإ]/
const MAX_PART = 12

/** Adjacent words: `whole` as they are written, where that counts as one spelling (`1 050`), `joined` as one word. */
export interface JoinedNeighbours {
  readonly whole?: string
  readonly joined: string
  /** The separate words. */
  readonly parts: readonly string[]
}

/**
 * Finds separate words that are also written as one: numbers in groups, `نرم افزار` in Persian. `text` is a result of
 * `readText`; `isQuery` tries any two Arabic words, since a short question does not show its language.
 */
export function joinedNeighbours(text: string, isQuery: boolean): readonly JoinedNeighbours[] {
  const found: JoinedNeighbours[] = []
  if (MAY_HOLD_GROUPS.test(text))
    for (const [whole] of text.matchAll(GROUPED_DIGITS))
      found.push({ whole: whole.toLowerCase(), ...joinedDigits(whole.toLowerCase()) })
  if (ARABIC_SCRIPT.test(text) && (isQuery || PERSIAN.test(text) || !ARABIC_ONLY.test(text)))
    for (const parts of arabicPairs(text)) found.push({ joined: parts.join(''), parts })
  return found
}

function joinedDigits(whole: string): Pick<JoinedNeighbours, 'joined' | 'parts'> {
  const parts = whole.match(/[a-z\d]+/g) ?? []
  return { joined: parts.join(''), parts }
}

function arabicPairs(text: string): readonly [string, string][] {
  const pairs: [string, string][] = []
  let before = ''
  let end = -1
  eachRun(text, (raw, offset) => {
    const { words } = analyseRunOnce(raw)
    const [first] = words
    const last = words.at(-1)
    const isNext = offset === end + 1 && text.charCodeAt(end) === 0x20
    if (first?.script === 'arabic' && before !== '' && isNext && first.term.length <= MAX_PART) pairs.push([before, first.term])
    before = last?.script === 'arabic' && last.term.length <= MAX_PART ? last.term : ''
    end = offset + raw.length
  })
  return pairs
}
