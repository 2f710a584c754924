/** Terms by which the days of a note are found: the day, its month, the day of any year (`--03-14`). Days are YYYY-MM-DD. */
export function dateTerms(days: readonly string[]): readonly string[] {
  const terms = new Set<string>()
  for (const day of days) {
    terms.add(day)
    terms.add(day.slice(0, 7))
    terms.add(`-${day.slice(4)}`)
  }
  return [...terms]
}

const ISO_DAY = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/

/** A query word that is an ISO day or month is also looked for among the days of notes. */
export function isDateTerm(term: string): boolean {
  return ISO_DAY.test(term)
}
