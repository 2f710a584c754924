import { decayByAge } from '../decay/decay-by-age.ts'
import { splitByThreshold } from '../hybrid/threshold.ts'
import { selectDiverse } from '../mmr/select-diverse.ts'
import { cosineSimilarity, tokenSimilarity } from '../mmr/similarity.ts'
import { type CollapsedHit, collapseRepeats } from '../repeats/collapse-repeats.ts'
import { limitPerFile } from '../repeats/limit-per-file.ts'
import type { ComparableText } from '../repeats/same-text.ts'
import { termSet } from '../text/analyse.ts'
import type { Candidate } from './candidates/candidate.ts'
import { copiesBelowOriginals } from './candidates/copies-below-originals.ts'
import { compareLeads, isAskedByName } from './candidates/lead.ts'
import type { SearchSettings } from './search-settings.ts'

export type RankedHit = CollapsedHit<Candidate>

/** The stage that dropped a candidate. */
export type LeftBehind = 'threshold' | 'repeat' | 'version' | 'diversity' | 'limit'

/** All hits, in display order. */
export interface Ranking {
  readonly ranked: readonly RankedHit[]
  /** Number of hits that are no repeats and not held back. */
  readonly distinct: number
  /** Every candidate that passed the threshold or was kept, after decay, best first. */
  readonly aged: readonly Candidate[]
  readonly leftBehind: ReadonlyMap<number, 'threshold' | 'repeat'>
  /** Chunks of the hits by score alone, best first. */
  readonly byScore: readonly number[]
}

function decayed(candidate: Candidate, settings: SearchSettings, nowMs: number): Candidate {
  const { chunk, document } = candidate
  if (!settings.temporalDecay.enabled || document.isEvergreen || isAskedByName(candidate.lead)) return candidate
  const days = chunk.attributes.from === undefined ? document : chunk.attributes
  const decay = decayByAge(days, {
    nowMs,
    timeZone: settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    halfLifeDays: settings.temporalDecay.halfLifeDays,
  })
  if (!decay) return candidate
  const reason = document.from === undefined ? 'heading' : (document.dateReason ?? 'heading')
  return { ...candidate, score: candidate.fused * decay.factor, decay: { ...decay, reason } }
}

/** Ties go by the rank before decay, which is by path and line where scores are equal. */
function byScore(left: Candidate, right: Candidate): number {
  return compareLeads(left, right) || right.score - left.score || left.rank - right.rank
}

interface Comparable {
  readonly candidate: Candidate
  readonly text: ComparableText
  readonly path: string
  readonly startLine: number
  readonly day?: string | undefined
  readonly marks?: Candidate['chunk']['attributes']['marks']
  readonly matchedTokens: ReadonlySet<string>
}

function comparableOf(candidate: Candidate): Comparable {
  const { chunk, document, keywords } = candidate
  return {
    candidate,
    text: candidate.comparable,
    path: chunk.document.path,
    startLine: chunk.startLine,
    day: chunk.attributes.from ?? document.from,
    marks: chunk.attributes.marks,
    matchedTokens: new Set(keywords?.matched),
  }
}

/** The vectors of chunks by id, all of one space. */
export type ChunkVectors = ReadonlyMap<number, Float32Array>

function diversified(
  hits: readonly CollapsedHit<Comparable>[],
  settings: SearchSettings,
  vectors: ChunkVectors,
): CollapsedHit<Comparable>[] {
  if (!settings.mmr.enabled) return [...hits]
  const items = hits.map((entry) => ({
    entry,
    relevance: entry.hit.candidate.score,
    text: entry.hit.text.text,
    tokens: termSet(entry.hit.text.text),
    vector: vectors.get(entry.hit.candidate.chunk.id),
  }))
  const similarity = (left: (typeof items)[number], right: (typeof items)[number]): number =>
    left.vector && right.vector ? cosineSimilarity(left.vector, right.vector) : tokenSimilarity(left, right)
  // Twice the limit, since the share per file may skip some; the first picks do not depend on how many follow.
  const limit = 2 * Math.max(settings.limit, 10)
  return selectDiverse(items, { lambda: settings.mmr.lambda, limit, similarity }).map((pick) => {
    const { entry } = pick.candidate
    const mmr = { similarity: pick.similarity, value: pick.value }
    return { ...entry, hit: { ...entry.hit, candidate: { ...entry.hit.candidate, mmr } } }
  })
}

/** Number of first places in which every source with a hit has one, so that neither memory nor sessions crowd out the other. */
const SHARE_PLACE = 3

/** Ignores the limit, so that a shorter answer is the beginning of a longer one. */
function shared<Hit extends { readonly source: string }>(hits: readonly Hit[]): Hit[] {
  const order = [...hits]
  let place = SHARE_PLACE - 1
  for (const source of new Set(hits.map((hit) => hit.source))) {
    const at = order.findIndex((hit) => hit.source === source)
    if (at <= place) continue
    order.splice(place, 0, ...order.splice(at, 1))
    place += 1
  }
  return order
}

/** `minScore` can drop only candidates that no word matches. */
function isByWords({ keywords, nameMatch }: Candidate): boolean {
  return keywords !== undefined || nameMatch !== undefined
}

/** Candidates after threshold and decay, best first, with those the threshold dropped. */
export type AgedCandidates = Pick<Ranking, 'aged' | 'leftBehind'>

/** threshold → decay → repeats → MMR → share per file and source; the caller cuts the list to the limit. */
export function rankCandidates(
  candidates: readonly Candidate[],
  settings: SearchSettings,
  { nowMs, vectors = new Map() }: { readonly nowMs: number; readonly vectors?: ChunkVectors },
): Ranking {
  return rankAged(ageCandidates(candidates, settings, nowMs), settings, vectors)
}

/** The same candidates in another order, from repeats on. */
export function rankAgain(
  ranking: Ranking,
  aged: readonly Candidate[],
  settings: SearchSettings,
  vectors: ChunkVectors,
): Ranking {
  const leftBehind = new Map([...ranking.leftBehind].filter(([, stage]) => stage === 'threshold'))
  return rankAged({ aged, leftBehind }, settings, vectors)
}

/** threshold → decay, best first. */
export function ageCandidates(candidates: readonly Candidate[], settings: SearchSettings, nowMs: number): AgedCandidates {
  const leftBehind = new Map<number, 'threshold' | 'repeat'>()
  const judged = copiesBelowOriginals(candidates).map((candidate) => {
    const isKept = isByWords(candidate) || candidate.listScore >= settings.minScore
    return { candidate, score: isKept ? candidate.fused : candidate.listScore, hasKeywordMatch: isKept }
  })
  const { passed, kept, dropped } = splitByThreshold(judged, settings.minScore)
  for (const { candidate } of dropped) leftBehind.set(candidate.chunk.id, 'threshold')
  const aged = [passed, kept]
    .flatMap((group) => group.map(({ candidate }) => decayed(candidate, settings, nowMs)).sort(byScore))
    .sort(compareLeads)
  return { aged, leftBehind }
}

function rankAged({ aged, leftBehind: dropped }: AgedCandidates, settings: SearchSettings, vectors: ChunkVectors): Ranking {
  const leftBehind = new Map(dropped)
  const collapsed = collapseRepeats(aged.map(comparableOf))
  for (const { candidate } of collapsed.flatMap((entry) => entry.collapsed)) leftBehind.set(candidate.chunk.id, 'repeat')
  const isHeldBack = ({ hit }: CollapsedHit<Comparable>) => hit.candidate.lead < 0
  const free = collapsed.filter((entry) => !isHeldBack(entry))
  // Diversity does not promote hits that are held back.
  const limited = [diversified(free, settings, vectors), collapsed.filter(isHeldBack)].flatMap((entries) =>
    limitPerFile(entries.map((entry) => ({ entry, path: entry.hit.path, source: entry.hit.candidate.chunk.document.source }))),
  )
  return {
    ranked: shared(limited).map(({ entry }) => rankedHit(entry)),
    distinct: free.length,
    aged,
    leftBehind,
    byScore: collapsed.map(({ hit }) => hit.candidate.chunk.id),
  }
}

function rankedHit({ hit, collapsed, nearCopies, ...rest }: CollapsedHit<Comparable>): RankedHit {
  return {
    ...rest,
    hit: hit.candidate,
    collapsed: collapsed.map(({ candidate }) => candidate),
    ...(nearCopies && { nearCopies: nearCopies.map(({ candidate, differs }) => ({ candidate: candidate.candidate, differs })) }),
  }
}

/** The stage that dropped each candidate that is not shown. */
export function leftBehindOf(
  ranking: Ranking,
  answer: { readonly shown: readonly number[]; readonly stoodFor: ReadonlySet<number>; readonly limit: number },
): ReadonlyMap<number, LeftBehind> {
  const shown = new Set(answer.shown)
  const leftBehind = new Map<number, LeftBehind>(ranking.leftBehind)
  for (const [place, id] of ranking.byScore.entries()) {
    // The score was good enough, so diversity of texts or of files took its place.
    if (!shown.has(id)) leftBehind.set(id, place < answer.limit ? 'diversity' : 'limit')
  }
  for (const id of answer.stoodFor) leftBehind.set(id, 'version')
  return leftBehind
}
