import { compareTied, dayOfChunk, type Mark, type StoredChunk, type TiedChunk } from '@mnemark/spec'
import type { NameMatch } from '../../keywords/query/name-matches.ts'
import type { Candidate } from './candidate.ts'

/**
 * Ranks above and below the content score. A candidate's lead is 0 where words and vectors alone decide, greater the
 * closer the query names its note, and below 0 for notes that are held back whatever they hold.
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
/** Archived notes and copies rank behind a live note of the same name, and before one that is named less closely. */
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

/** Lead of a translation of a page in the answer; translations keep their order. */
export function leadOfTranslation(lead: number): number {
  return lead < 0 ? lead : HELD_BACK.translation + lead
}

/** Whether the query is the name of the note: neither age nor any score moves it. */
export function isAskedByName(lead: number): boolean {
  return lead > LEAD_OF_NAME.heading
}

/** Whether the query is the path or base name, as spelled. */
export function isAskedByPath(lead: number): boolean {
  return lead > LEAD_OF_NAME.stem
}

/** Greater leads first. */
export function compareLeads(left: { readonly lead: number }, right: { readonly lead: number }): number {
  return right.lead - left.lead
}

type Leading = Pick<Candidate, 'lead' | 'listScore' | 'fused' | 'chunk'>

/** Least score of a note or section that the query names: a sure hit, whatever its content scores. */
const LEAST_OF_NAME = 0.8

/** Gives a named candidate a share of the range above the best content, the more the closer its name. */
export function withLead<Entry extends Leading>(candidates: readonly Entry[]): Entry[] {
  const best = Math.max(LEAST_OF_NAME, ...candidates.map(({ fused }) => fused))
  const above = ({ lead, fused }: Leading): number => best + (1 - best) * ((lead + fused / 2) / LEADS)
  return candidates.map((entry) => (entry.lead > 0 ? { ...entry, fused: above(entry) } : entry))
}

/**
 * By lead, then the joined score of the lists: candidates that the threshold will drop may show a higher score than
 * those above them.
 */
function compareRanks(left: Leading, right: Leading): number {
  return compareLeads(left, right) || right.listScore - left.listScore || right.fused - left.fused
}

/** Display order; a held-back candidate has no greater score than those before it. */
export function orderByLead<Entry extends Leading>(candidates: readonly Entry[]): Entry[] {
  let least = Number.POSITIVE_INFINITY
  return candidates
    .toSorted((left, right) => compareRanks(left, right) || comparePlaces(left, right))
    .map((candidate) => {
      least = Math.min(least, candidate.fused)
      return candidate.lead < 0 ? { ...candidate, fused: least } : candidate
    })
}

/** The best candidates in display order. Which ones are kept must depend neither on history nor on the alphabet. */
export function cutPool<Entry extends Leading & Pick<Candidate, 'document'>>(entries: readonly Entry[], pool: number): Entry[] {
  const compare = (left: Entry, right: Entry): number => compareRanks(left, right) || compareTied(tiedOf(left), tiedOf(right))
  return orderByLead(entries.length > pool ? entries.toSorted(compare).slice(0, pool) : entries)
}

function tiedOf({ chunk, document }: Pick<Candidate, 'chunk' | 'document'>): TiedChunk {
  return { document: chunk.document, ordinal: chunk.ordinal, day: dayOfChunk(chunk.attributes, document) }
}

/** Path, then line: decides between equal scores. */
function comparePlaces(left: Pick<Candidate, 'chunk'>, right: Pick<Candidate, 'chunk'>): number {
  const [a, b] = [left.chunk, right.chunk]
  if (a.document.path !== b.document.path) return a.document.path < b.document.path ? -1 : 1
  return a.startLine - b.startLine || a.ordinal - b.ordinal
}
