import { dayInZone } from '@mnemark/spec'
import { dayNumber } from '../../dates/calendar/calendar-day.ts'
import { bestEntry, type FoundEntry } from './found-entries.ts'
import { type EntryVersions, gatherVersions, HeldWords, isMarked, type VersionSearch, versionKeys } from './gather-versions.ts'
import { keywordCandidates } from '../candidates/keyword-candidates.ts'
import { type Candidate, UNRANKED } from '../candidates/candidate.ts'
import { once } from '../../repeats/same-text.ts'
import { isAskedByName } from '../candidates/lead.ts'
import { haveSameSubject } from './same-subject.ts'
import type { RankedHit } from '../rank-candidates.ts'

export interface VersionedHit extends RankedHit {
  readonly versions?: EntryVersions | undefined
}

/** The answer, and the candidates that a hit of the same wording represents. */
export interface VersionedAnswer {
  readonly hits: readonly VersionedHit[]
  readonly stoodFor: ReadonlySet<number>
}

const MS_PER_DAY = 86_400_000

/** Whether a day has begun in a zone. The zone is read only near the present: the system's costs 20 ms. */
export function hasComeBy(nowMs: number, timeZone: () => string): VersionSearch['hasCome'] {
  const utcDay = Math.floor(nowMs / MS_PER_DAY)
  return (day) => day < utcDay || (day <= utcDay + 1 && day <= dayNumber(dayInZone(nowMs, timeZone())))
}

/**
 * The first `limit` of ranked hits, where one hit represents all versions of its entry: the newest dated one takes the
 * place of the best. Goes from the top, so that a shorter answer is the beginning of a longer one.
 */
export async function standForVersions(
  ranked: readonly RankedHit[],
  limit: number,
  search: VersionSearch,
): Promise<VersionedAnswer> {
  const entries = new Map<number, FoundEntry | undefined>()
  const entryOf = ({ chunk, document, comparable, phraseKey }: Candidate): FoundEntry | undefined => {
    if (!entries.has(chunk.id)) entries.set(chunk.id, bestEntry({ chunk, document, comparable, phraseKey }, search.highlight))
    return entries.get(chunk.id)
  }
  // One read for all look-ups below.
  const first = ranked.slice(0, limit).flatMap(({ hit }) => entryOf(hit) ?? [])
  if (first.length === 0) return { hits: ranked.slice(0, limit), stoodFor: new Set() }
  await search.reader.postings(versionKeys(first))
  const heldWords = once(() => HeldWords.read(search.reader, search.query))
  const heldBy = async (entry: FoundEntry) => (await heldWords()).of(search.reader.ordinalOf(entry.chunk.id) ?? -1)
  const hits: VersionedHit[] = []
  const stoodFor = new Set<number>()
  const shown = new Set<number>()
  for (const [place, each] of ranked.entries()) {
    if (hits.length === limit) break
    if (stoodFor.has(each.hit.chunk.id) || shown.has(each.hit.chunk.id)) continue
    const entry = entryOf(each.hit)
    const versions = entry && (await gatherVersions(entry, heldWords, search))
    const chosen = entry && versions ? leading(each, entry, versions, { ranked, shown }) : each
    hits.push({ ...chosen, versions })
    shown.add(chosen.hit.chunk.id)
    const twin = ranked.find(({ collapsed }) => collapsed.some(({ chunk }) => chunk.id === chosen.hit.chunk.id))
    if (twin) stoodFor.add(twin.hit.chunk.id)
    if (chosen.hit.chunk.id !== each.hit.chunk.id) stoodFor.add(each.hit.chunk.id)
    if (!entry || !versions || !mayYield(entry) || isAskedByName(chosen.hit.lead)) continue
    const { chunkIds } = versions
    const held = await heldBy(entry)
    for (const { hit } of ranked.slice(place + 1)) {
      if (!chunkIds.has(hit.chunk.id) || shown.has(hit.chunk.id) || isAskedByName(hit.lead)) continue
      const other = entryOf(hit)
      // An archived note or a copy represents only others of its kind.
      const isBelow = other && mayYield(other) && (isMarked(other) || !isMarked(chosen.hit))
      if (isBelow && isVersionOf(other, entry) && sameWords(await heldBy(other), held)) stoodFor.add(hit.chunk.id)
    }
  }
  return { hits: await withOwnScores(hits, search, ranked.length), stoodFor }
}

/** Undated notes are valid as long as they exist: they keep their rank. */
function mayYield(entry: FoundEntry): boolean {
  return entry.day !== undefined || isMarked(entry)
}

/** The end of a chunk and the beginning of the next share lines. */
function isOnePlace(left: FoundEntry, right: FoundEntry): boolean {
  const [a, b] = [left.document, right.document]
  return a.source === b.source && a.path === b.path && left.startLine === right.startLine && left.endLine === right.endLine
}

function isVersionOf(other: FoundEntry, entry: FoundEntry): boolean {
  return other.wording.text === entry.wording.text && haveSameSubject(other, entry)
}

function sameWords(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((word, at) => word === right[at])
}

/** The hit, or the newest version of its entry in its place and with its score. */
function leading(
  each: RankedHit,
  entry: FoundEntry,
  { lead }: EntryVersions,
  { ranked, shown }: { readonly ranked: readonly RankedHit[]; readonly shown: ReadonlySet<number> },
): RankedHit {
  const isSame = lead === undefined || lead.chunk.id === entry.chunk.id || isOnePlace(lead, entry)
  if (isSame || isAskedByName(each.hit.lead) || !mayYield(entry) || shown.has(lead.chunk.id)) return each
  const { chunk, document, comparable, phraseKey } = lead
  const isLead = (candidate: Candidate) => candidate.chunk.id === chunk.id
  // The lead may be one of several repeats.
  const group = ranked.find(({ hit, collapsed }) => isLead(hit) || collapsed.some(isLead))
  if (group && shown.has(group.hit.chunk.id)) return each
  const known = group && [group.hit, ...group.collapsed].find(isLead)
  const hit = known ?? { chunk, document, comparable, phraseKey, ...UNRANKED, lead: each.hit.lead, rank: 0 }
  const standsIn = { chunk: each.hit.chunk, score: hit.score }
  return { collapsed: [], ...group, hit: { ...hit, score: each.hit.score, standsIn } }
}

/** Own scores of a version from outside the pool, for `explain`: it was found by its wording, not by its rank. */
async function withOwnScores(
  hits: readonly VersionedHit[],
  search: VersionSearch,
  rank: number,
): Promise<readonly VersionedHit[]> {
  const outside = new Set(hits.flatMap(({ hit }) => (hit.rank === 0 ? [hit.chunk.id] : [])))
  if (outside.size === 0) return hits
  const { snapshot, reader, chunks, query, words, signal } = search
  const request = { chunks, query, words, pool: outside.size, accepts: (id: number) => outside.has(id), signal }
  const found = new Map((await keywordCandidates(snapshot, reader, request)).map((candidate) => [candidate.chunk.id, candidate]))
  return hits.map((each) => {
    const { hit } = each
    if (!outside.has(hit.chunk.id)) return each
    const own = found.get(hit.chunk.id)
    const { score = 0, fused = 0, raw = 0, keywords } = own ?? {}
    const standsIn = hit.standsIn && { ...hit.standsIn, score }
    // Ranks behind all candidates, since it is none of them.
    return { ...each, hit: { ...hit, raw, fused, keywords, rank: rank + 1, keywordRank: rank + 1, standsIn } }
  })
}
