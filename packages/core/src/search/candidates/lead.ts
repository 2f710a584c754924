import { compareTied, dayOfChunk, type Mark, type StoredChunk, type TiedChunk } from '@mnemark/spec'
import type { NameMatch } from '../../keywords/query/name-matches.ts'
import type { Candidate } from './candidate.ts'

/**
 * The order above and below content. A candidate's lead is 0 where words and vectors alone decide, greater where the query names
 * its note, the more the closer the name, and below 0 for what is held back whatever it holds.
 */
const LEAD_OF_NAME: Readonly<Record<NameMatch, number>> = {
  words: 1,
  heading: 2,
  alias: 3,
  title: 4,
  stem: 5,
  name: 6,
  exact: 7,
}
const LEADS = LEAD_OF_NAME.exact + 1
/** What was put away stands behind a live note of the same name, and before one that is named less closely. */
const PUT_AWAY = 0.5
const PUT_AWAY_MARKS: readonly Mark[] = ['archived', 'copy', 'derived', 'superseded']
const HELD_BACK = { template: -2 * LEADS, translation: -LEADS } as const
export function isTemplate({ attributes }: StoredChunk): boolean {
  return attributes.marks?.includes('template') ?? false
}

export function leadOf(chunk: StoredChunk, match: NameMatch | undefined): number {
  const lead = match === undefined ? 0 : LEAD_OF_NAME[match]
  if (isTemplate(chunk)) return HELD_BACK.template + lead
  const { marks = [] } = chunk.attributes
  const isPutAway = marks.some((mark) => PUT_AWAY_MARKS.includes(mark))
  return lead > 0 && isPutAway ? lead - PUT_AWAY : lead
}

/** Held back as the translation of a page that stands in the answer, keeping its place among such. */
export function leadOfTranslation(lead: number): number {
  return lead < 0 ? lead : HELD_BACK.translation + lead
}

/** Asked for by its own name, as a whole: neither age nor any score moves it. */
export function isAskedByName(lead: number): boolean {
  return lead > LEAD_OF_NAME.heading
}

/** Asked for by its path or base name, as spelled. */
export function isAskedByPath(lead: number): boolean {
  return lead > LEAD_OF_NAME.stem
}

/** Greater leads first. */
export function compareLeads(left: { readonly lead: number }, right: { readonly lead: number }): number {
  return right.lead - left.lead
}

type Leading = Pick<Candidate, 'lead' | 'listScore' | 'fused' | 'chunk'>

/** A note or section that the query names is a sure hit, whatever its content scores. */
const LEAST_OF_NAME = 0.8

/** A named candidate takes a share of what is left above the best content, the more the closer its name. */
export function withLead<Entry extends Leading>(candidates: readonly Entry[]): Entry[] {
  const best = Math.max(LEAST_OF_NAME, ...candidates.map(({ fused }) => fused))
  const above = ({ lead, fused }: Leading): number => best + (1 - best) * ((lead + fused / 2) / LEADS)
  return candidates.map((entry) => (entry.lead > 0 ? { ...entry, fused: above(entry) } : entry))
}

/** By lead, then the joined score of the lists: some that the threshold will drop may show more than what stands above them. */
function compareRanks(left: Leading, right: Leading): number {
  return compareLeads(left, right) || right.listScore - left.listScore || right.fused - left.fused
}

/** In the order in which they are shown; one that is held back has no more than what stands before it. */
export function orderByLead<Entry extends Leading>(candidates: readonly Entry[]): Entry[] {
  let least = Number.POSITIVE_INFINITY
  return candidates
    .toSorted((left, right) => compareRanks(left, right) || comparePlaces(left, right))
    .map((candidate) => {
      least = Math.min(least, candidate.fused)
      return candidate.lead < 0 ? { ...candidate, fused: least } : candidate
    })
}

/** The best, in the order in which they are shown. Who is among them must depend neither on history nor on the alphabet. */
export function cutPool<Entry extends Leading & Pick<Candidate, 'document'>>(entries: readonly Entry[], pool: number): Entry[] {
  const compare = (left: Entry, right: Entry): number => compareRanks(left, right) || compareTied(tiedOf(left), tiedOf(right))
  return orderByLead(entries.length > pool ? entries.toSorted(compare).slice(0, pool) : entries)
}

function tiedOf({ chunk, document }: Pick<Candidate, 'chunk' | 'document'>): TiedChunk {
  return { document: chunk.document, ordinal: chunk.ordinal, day: dayOfChunk(chunk.attributes, document) }
}

/** Path, then line: the last word where scores are equal. */
function comparePlaces(left: Pick<Candidate, 'chunk'>, right: Pick<Candidate, 'chunk'>): number {
  const [a, b] = [left.chunk, right.chunk]
  if (a.document.path !== b.document.path) return a.document.path < b.document.path ? -1 : 1
  return a.startLine - b.startLine || a.ordinal - b.ordinal
}
