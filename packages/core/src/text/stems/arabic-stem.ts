const PREFIXES = ['وال', 'بال', 'كال', 'فال', 'لل', 'ال']
const SUFFIXES = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي']

/**
 * Light stem of a folded Arabic word: conjunction, article with its prefixes, then every common suffix in turn, at least two
 * letters left. Rules: Larkey, Ballesteros, Connell, "Light Stemming for Arabic Information Retrieval" (light10).
 */
export function arabicStem(word: string): string {
  let stem = word.length >= 4 && word.startsWith('و') ? word.slice(1) : word
  const prefix = PREFIXES.find((candidate) => stem.startsWith(candidate) && stem.length - candidate.length >= 2)
  if (prefix !== undefined) stem = stem.slice(prefix.length)
  for (const suffix of SUFFIXES) {
    if (stem.endsWith(suffix) && stem.length - suffix.length >= 2) stem = stem.slice(0, -suffix.length)
  }
  return stem
}

/** Prepositions, future and the persons of verbs, in standard and spoken Arabic; then pronouns after a noun or a verb. */
const LOOSE_PREFIX = /^(?:و?[بلفكسح]?ال|[وبلفكسهح]?[ينتا]|[وبلفكس])/
const LOOSE_SUFFIX = /(?:ت?(?:ها|هم|هن|كم|كن|نا|ني)|تي|تك|ته|وا|[كه])$/
const LONG_VOWELS = /(?<=.)[اوي](?=.)/g
const LEAST = 3

/**
 * Further possible stems of a folded Arabic word: without a preposition, the person of a verb or a pronoun, and the
 * consonants that a broken plural shares with its singular (`كتاب`, `كتب`; `خادم`, `خوادم`), which light stems
 * separate.
 */
export function looseArabicStems(word: string): readonly string[] {
  const light = arabicStem(word)
  const stems = new Set<string>()
  const bare = word.replace(LOOSE_SUFFIX, '').replace(LOOSE_PREFIX, '')
  if (bare.length >= LEAST) stems.add(bare)
  // A first و may be the conjunction or a letter of the root: وثيقة.
  for (const root of /^و(?!ال)/.test(word) ? [light, `و${light}`] : [light]) {
    const consonants = root.replace(LONG_VOWELS, '')
    if (consonants.length >= LEAST) stems.add(consonants)
  }
  stems.delete(word)
  stems.delete(light)
  return [...stems]
}
