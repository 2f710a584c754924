import type { PassageLines } from '../facts/chunks/whole-lines.ts'
import type { Packable } from '../packs/pack-facts.ts'
import type { RecalledFact, RecalledKind } from './recall-reply.ts'
import { compareText } from '../retain/compare-text.ts'

/** A fact or passage with its place in the ranking. */
export interface Candidate extends Packable {
  readonly kind: RecalledKind
  /** 0 to 1, one scale for facts and passages. */
  readonly score: number
  /** Day that decides between equals where the newest leads; absent = undated. */
  readonly day?: string
  /** Decides between candidates of one score and day: see `compareCandidates`. */
  readonly place: string
  /** Whether its days are among those asked for. */
  readonly isInWindow: boolean
  readonly build: () => RecalledFact
  /** The place of a passage; `build` gives the hash of these lines as its chunk holds them. */
  readonly lines?: PassageLines
}

/** Scores closer than this are one, where the newest of equals leads. */
const STEP = 0.05

/** Best first; with `newestFirst` the newer of two that answer about as well. The order depends on nothing but texts, days and places. */
export function compareCandidates(newestFirst: boolean): (left: Candidate, right: Candidate) => number {
  const stepOf = ({ score }: Candidate): number => Math.round(score / STEP)
  return (left, right) =>
    (newestFirst ? stepOf(right) - stepOf(left) || compareText(right.day ?? '', left.day ?? '') : 0) ||
    right.score - left.score ||
    Number(right.isInWindow) - Number(left.isInWindow) ||
    compareText(right.day ?? '', left.day ?? '') ||
    compareText(left.place, right.place)
}
