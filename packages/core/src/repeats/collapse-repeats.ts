import type { Mark } from '@mnemark/spec'
import { areSameText, type ComparableText } from './same-text.ts'

export interface RepeatCandidate {
  readonly text: ComparableText
  readonly path: string
  /** Line of the file, from 1. */
  readonly startLine: number
  /** Calendar day, YYYY-MM-DD. */
  readonly day?: string | undefined
  readonly marks?: readonly Mark[] | undefined
  /** The tokens of the query this text holds: texts that differ here answer the query differently and stay apart. */
  readonly matchedTokens: ReadonlySet<string>
}
export interface CollapsedHit<Candidate> {
  /** The best live one of those that are the same; without a live one the best. */
  readonly hit: Candidate
  /** Only where there are several: how many, and the places `path#L12` of the first and last, by day where all have one, else by path and line. */
  readonly repeats?: { readonly count: number; readonly first: string; readonly last: string }
  /** Places of archived and derived texts that say the same as the live hit. */
  readonly copies?: readonly string[]
  /** All that are not shown, in the order given. */
  readonly collapsed: readonly Candidate[]
}

interface Group<Candidate> {
  readonly tokens: string
  readonly text: ComparableText
  readonly members: Candidate[]
}

/**
 * Candidates that say the same become one hit, in the order given (best first). An archived or derived copy never stands above
 * its live twin: it is listed under it, and the hit keeps the place of the live one.
 */
export function collapseRepeats<Candidate extends RepeatCandidate>(candidates: readonly Candidate[]): CollapsedHit<Candidate>[] {
  const groups: Group<Candidate>[] = []
  for (const candidate of candidates) {
    const tokens = [...candidate.matchedTokens].sort().join('\n')
    const { text } = candidate
    const group = groups.find((other) => other.tokens === tokens && areSameText(other.text, text))
    if (group === undefined) groups.push({ tokens, text, members: [candidate] })
    else group.members.push(candidate)
  }
  const place = new Map(candidates.map((candidate, index) => [candidate, index]))
  const hits = groups.map(({ members }) => collapsedHit(members))
  return hits.sort((left, right) => (place.get(left.hit) ?? 0) - (place.get(right.hit) ?? 0))
}

function collapsedHit<Candidate extends RepeatCandidate>(members: readonly Candidate[]): CollapsedHit<Candidate> {
  const live = members.filter((member) => !isCopy(member))
  const alike = live.length > 0 ? live : members
  const copies = live.length > 0 ? members.filter(isCopy) : []
  // A group has at least the member it was made for.
  const hit = alike[0] as Candidate
  const ordered = inOrderOfPlace(alike)
  const [first, last] = [ordered[0] ?? hit, ordered.at(-1) ?? hit]
  return {
    hit,
    ...(alike.length > 1 ? { repeats: { count: alike.length, first: placeOf(first), last: placeOf(last) } } : {}),
    ...(copies.length > 0 ? { copies: inOrderOfPlace(copies).map(placeOf) } : {}),
    collapsed: members.filter((member) => member !== hit),
  }
}

function isCopy({ marks }: RepeatCandidate): boolean {
  return marks?.some((mark) => mark === 'archived' || mark === 'derived') ?? false
}

function placeOf({ path, startLine }: RepeatCandidate): string {
  return `${path}#L${startLine}`
}

function inOrderOfPlace<Candidate extends RepeatCandidate>(members: readonly Candidate[]): Candidate[] {
  const areDated = members.every(({ day }) => day !== undefined)
  return members.toSorted(
    (left, right) =>
      (areDated ? compareText(left.day ?? '', right.day ?? '') : 0) ||
      compareText(left.path, right.path) ||
      left.startLine - right.startLine,
  )
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
