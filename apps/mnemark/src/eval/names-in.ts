/** Two or more capitalised words in a row; at the beginning of a sentence a capital means nothing. */
const CAPITALISED = /(?<=[\p{Ll}\p{N},;:)]\s)\p{Lu}[\p{L}\p{M}'’-]+(?:\s\p{Lu}[\p{L}\p{M}'’-]+)+/gu
const MENTION = /(?<=^|\s)@[\p{L}\p{M}\p{N}_-]{3,}/gu
const WITHOUT_CAPITALS =
  /[\p{Script=Arabic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Hebrew}\p{Script=Thai}\p{Script=Devanagari}]/u
/** For a script without capitals: how many of a chunk's longest words, which are the rarest, count as names. */
const LONGEST_WORDS = 2
const LEAST_LETTERS = 3

/** Names of people and things in a text; in scripts without capitals, the longest words instead. */
export function namesIn(text: string): ReadonlySet<string> {
  const names = [...(text.match(CAPITALISED) ?? []), ...(text.match(MENTION) ?? []).map((mention) => mention.slice(1))]
  return new Set([...names, ...(WITHOUT_CAPITALS.test(text) ? longWords(text) : [])])
}

function longWords(text: string): readonly string[] {
  const words = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)]
    .filter(({ segment, isWordLike }) => isWordLike === true && WITHOUT_CAPITALS.test(segment))
    .map(({ segment }) => segment)
  return [...new Set(words)]
    .filter((word) => word.length >= LEAST_LETTERS)
    .toSorted((left, right) => right.length - left.length)
    .slice(0, LONGEST_WORDS)
}
