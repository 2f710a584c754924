import { ConfigError } from '@mnemark/spec'
import type { ScoredEntry } from './list-score.ts'

/** Contribution of one list to a fused score. */
export interface FusionPart {
  /** Position in that list, from 1. */
  readonly rank: number
  readonly score: number
  /** Share of the fused score. */
  readonly part: number
}
export interface FusedEntry<Id> {
  readonly id: Id
  /** Sum of the parts, 0..1. */
  readonly score: number
  /** One per list, in the order of the lists; null where the list does not hold the id. */
  readonly parts: readonly (FusionPart | null)[]
}

type Id = string | number
type Lists<Key> = readonly (readonly ScoredEntry<Key>[])[]

/** True where a list knows nothing of an id, and could not have ranked it. */
export type IsSilent<Key> = (list: number, id: Key) => boolean

const SPEAKS: IsSilent<unknown> = () => false

/**
 * Weighted sum of scores that are already scaled to 0..1 (others are clamped). Weights are normalised to sum 1; an id
 * missing from a list gets 0 from it, unless the list is silent about it: then the weights of the others sum to 1.
 * Lists come best first; the first of duplicate ids counts, and entries without a finite score are skipped. Ordered by
 * score, then id. Throws ConfigError for weights that are negative, all 0, or not one per list.
 */
export function fuseWeighted<Key extends Id>(
  lists: Lists<Key>,
  weights: readonly number[],
  isSilent: IsSilent<Key> = SPEAKS,
): FusedEntry<Key>[] {
  return fuse(lists, { weights, isSilent, worth: (entry) => Math.min(1, Math.max(0, entry.score)) })
}

/**
 * Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009), weighted: Σ weight·(k+1)/(k+rank), ranks from 1. The usual
 * formula times k+1, which changes no order and puts the first of every list at 1, so that one threshold serves both fusions.
 * Entries, order and weights as in `fuseWeighted`; throws ConfigError also for a k that is not 0 or more.
 */
export function fuseReciprocalRank<Key extends Id>(
  lists: Lists<Key>,
  weights: readonly number[],
  k = 60,
  isSilent: IsSilent<Key> = SPEAKS,
): FusedEntry<Key>[] {
  if (!Number.isFinite(k) || k < 0) {
    throw new ConfigError('invalid-value', `fusion: expected a rank constant of 0 or more, got ${String(k)}`)
  }
  return fuse(lists, { weights, isSilent, worth: (_entry, rank) => (k + 1) / (k + rank) })
}

interface Fusion<Key> {
  readonly weights: readonly number[]
  readonly isSilent: IsSilent<Key>
  readonly worth: (entry: ScoredEntry<Key>, rank: number) => number
}

function fuse<Key extends Id>(lists: Lists<Key>, { weights, isSilent, worth }: Fusion<Key>): FusedEntry<Key>[] {
  const shares = normalisedWeights(weights, lists.length)
  const shareOf = (list: number, id: Key) => {
    const speaking = shares.reduce((sum, share, other) => (isSilent(other, id) ? sum : sum + share), 0)
    return speaking > 0 ? (shares[list] ?? 0) / speaking : 0
  }
  const partsById = new Map<Key, (FusionPart | null)[]>()
  for (const [list, entries] of lists.entries()) {
    for (const [place, entry] of distinctEntries(entries).entries()) {
      const parts = partsById.get(entry.id) ?? lists.map(() => null)
      parts[list] = { rank: place + 1, score: entry.score, part: shareOf(list, entry.id) * worth(entry, place + 1) }
      partsById.set(entry.id, parts)
    }
  }
  const fused = Array.from(partsById, ([id, parts]) => ({ id, score: Math.min(1, sumOfParts(parts)), parts }))
  return fused.sort((left, right) => right.score - left.score || compareIds(left.id, right.id))
}

function distinctEntries<Key>(entries: readonly ScoredEntry<Key>[]): ScoredEntry<Key>[] {
  const seen = new Set<Key>()
  return entries.filter(({ id, score }) => Number.isFinite(score) && !seen.has(id) && seen.add(id))
}

function sumOfParts(parts: readonly (FusionPart | null)[]): number {
  return parts.reduce((sum, part) => sum + (part?.part ?? 0), 0)
}

function normalisedWeights(weights: readonly number[], count: number): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const areUsable = weights.length === count && weights.every((weight) => weight >= 0) && Number.isFinite(sum)
  if (count > 0 && (!areUsable || sum === 0)) {
    throw new ConfigError(
      'invalid-value',
      `fusion weights: expected ${count} numbers of 0 or more, not all 0, got [${weights.join(', ')}]`,
    )
  }
  return weights.map((weight) => weight / sum)
}

function compareIds(left: Id, right: Id): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  const [leftText, rightText] = [String(left), String(right)]
  return leftText < rightText ? -1 : leftText > rightText ? 1 : 0
}
