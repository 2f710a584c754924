import { foldWord } from '@mnemark/core/text'

/** Words that turn a statement into its opposite, by language. One of them more or less, and two texts contradict each other. */
const NEGATIONS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'not',
    'no',
    'never',
    'no longer',
    "doesn't",
    "don't",
    "didn't",
    "isn't",
    "wasn't",
    "won't",
    "can't",
    'does not',
    'do not',
    'did not',
  ],
  ar: ['لا', 'لم', 'لن', 'ليس', 'ليست', 'لم يعد', 'لم تعد', 'ما عاد'],
  zh: ['不', '不再', '没', '没有', '沒', '沒有', '从不', '從不'],
  de: ['nicht', 'nicht mehr', 'kein', 'keine', 'keinen', 'keinem', 'keiner', 'nie', 'niemals'],
  es: ['no', 'ya no', 'nunca', 'jamás'],
  fr: ['ne pas', 'ne plus', 'ne jamais', 'pas', 'plus', 'jamais', 'ne', "n'"],
  fa: ['نه', 'دیگر نه', 'هرگز'],
  ru: ['не', 'больше не', 'никогда'],
  pt: ['não', 'nunca', 'já não'],
  it: ['non', 'non più', 'mai'],
}

/** Every negation as it stands in its list, by language. */
export function negations(): readonly string[] {
  return Object.values(NEGATIONS).flat()
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const ALL = Object.values(NEGATIONS).flat().map(folded)
const SPACED: ReadonlySet<string> = new Set(ALL.filter((word) => !UNSPACED.test(word)))
const LETTERS = ALL.filter((word) => UNSPACED.test(word)).toSorted((left, right) => right.length - left.length)

function folded(text: string): string {
  return text.split(/\s+/).map(foldWord).join(' ')
}

/** Whether a short text, such as what stands before a verb, holds a negation. */
export function holdsNegation(text: string): boolean {
  const words = text.split(/[^\p{L}\p{M}\p{N}'’]+/u).map(foldWord)
  return (
    words.some((word) => SPACED.has(word) || SPACED.has(word.replace('’', "'"))) || LETTERS.some((word) => text.includes(word))
  )
}
