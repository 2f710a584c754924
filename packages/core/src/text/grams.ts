const LENGTH = 4

/** In-word 4-grams with edge marks: `cafe` gives `^caf`, `cafe`, `afe$`; a word of one or two letters is one gram. */
export function wordGrams(word: string): string[] {
  const letters = ['^', ...word, '$']
  if (letters.length <= LENGTH) return [letters.join('')]
  const grams: string[] = []
  for (let at = 0; at + LENGTH <= letters.length; at += 1) grams.push(letters.slice(at, at + LENGTH).join(''))
  return grams
}

/** Bigrams of a run of Han, kana or Hangul. The last letter stands alone with an end mark, so that every letter begins a gram and one letter is found by prefix. */
export function runBigrams(run: string): string[] {
  const letters = [...run]
  const grams: string[] = []
  for (let at = 0; at + 1 < letters.length; at += 1) grams.push(`${letters[at]}${letters[at + 1]}`)
  const last = letters.at(-1)
  if (last !== undefined) grams.push(`${last}$`)
  return grams
}
