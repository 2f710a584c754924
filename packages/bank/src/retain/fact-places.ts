import type { FactKind } from './fact.ts'

/** Names of Retain sections that are known without a setting; compared folded. */
export const RETAIN_HEADINGS: readonly string[] = ['Retain', 'Mantieni', 'Reter']

/** The page whose lines are the opinions' own, also in its managed block: they carry what no log does. */
export const OPINIONS_PAGE = 'bank/opinions.md'

const PAGES: Readonly<Record<string, FactKind>> = {
  'bank/world.md': 'world',
  'bank/experience.md': 'experience',
  [OPINIONS_PAGE]: 'opinion',
}
export const ENTITY_PAGE: RegExp = /^bank\/entities\/.+\.(?:md|markdown)$/i

/** The kind of facts on a page of the bank; undefined for any other note. */
export function pageKindOf(path: string): FactKind | undefined {
  const place = path.replaceAll('\\', '/')
  return PAGES[place.toLowerCase()] ?? (ENTITY_PAGE.test(place) ? 'world' : undefined)
}

/** A year, and a month beside it or a sign of it: a number alone, such as a port, is no date. */
const MAY_BE_DATED = /(?<!\p{Nd})\p{Nd}{4}(?:[-_./]?\p{Nd}{1,2}|[-_./ ]?(?:w\p{Nd}|\p{L}{3,}))|年/iu

/**
 * Whether a note may hold facts: `MEMORY.md`, all below `memory/` and `bank/`, and any note with what may be a date in its path. Asked for every
 * note at every look at the folder, so it reads no date.
 */
export function isFactPath(path: string): boolean {
  const place = path.replaceAll('\\', '/')
  return /^(?:memory\.md$|memory\/|bank\/)/i.test(place) || MAY_BE_DATED.test(place)
}
