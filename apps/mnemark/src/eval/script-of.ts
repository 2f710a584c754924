/** Scripts by name; the first of equals wins. Han and kana are counted together, as in Japanese. */
const SCRIPTS: readonly (readonly [name: string, letter: RegExp])[] = [
  ['latin', /\p{Script=Latin}/gu],
  ['arabic', /\p{Script=Arabic}/gu],
  ['kana', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['han', /\p{Script=Han}/gu],
  ['hangul', /\p{Script=Hangul}/gu],
  ['cyrillic', /\p{Script=Cyrillic}/gu],
  ['greek', /\p{Script=Greek}/gu],
  ['hebrew', /\p{Script=Hebrew}/gu],
  ['devanagari', /\p{Script=Devanagari}/gu],
  ['thai', /\p{Script=Thai}/gu],
]

/** The script of most letters of a text; `other` if unknown. */
export function scriptOf(text: string): string {
  const counts = SCRIPTS.map(([name, letter]) => [name, text.match(letter)?.length ?? 0] as const)
  const kana = counts.find(([name]) => name === 'kana')?.[1] ?? 0
  const [best] = counts.toSorted(([, left], [, right]) => right - left)
  if (best === undefined || best[1] === 0) return 'other'
  // Many Japanese lines have more Han than kana; Chinese has no kana.
  return best[0] === 'han' && kana > 0 ? 'kana' : best[0]
}
