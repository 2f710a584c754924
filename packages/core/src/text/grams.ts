const LENGTH = 4

/** In-word 4-grams with edge marks: `cafe` gives `^caf`, `cafe`, `afe$`; a word of one or two letters is one gram. */
export function wordGrams(word: string): string[] {
  const letters = ['^', ...word, '$']
  if (letters.length <= LENGTH) return [letters.join('')]
  const grams: string[] = []
  for (let at = 0; at + LENGTH <= letters.length; at += 1) grams.push(letters.slice(at, at + LENGTH).join(''))
  return grams
}

/**
 * Bigrams of a run of Han or kana. The last letter gets an end mark, so that every letter begins a gram and a single
 * letter is found by prefix.
 */
export function runBigrams(run: string): string[] {
  const letters = [...run]
  return [...bigrams(letters), ...letters.slice(-1).map((last) => `${last}$`)]
}

/** Bigrams of a Hangul word; a lone syllable is one gram. No end mark: words end in particles without content. */
export function syllableBigrams(word: string): string[] {
  const syllables = [...word]
  return syllables.length === 1 ? [`${word}$`] : bigrams(syllables)
}

function bigrams(letters: readonly string[]): string[] {
  return letters.slice(1).map((letter, at) => `${letters[at]}${letter}`)
}
