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
