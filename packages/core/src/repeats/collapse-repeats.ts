import type { Mark } from '@mnemark/spec'
import { type ComparableText, mayBeAlike, nearCopyDifferences } from './same-text.ts'

export interface RepeatCandidate {
  readonly text: ComparableText
  readonly path: string
  /** Line of the file, from 1. */
  readonly startLine: number
  /** Calendar day, YYYY-MM-DD. */
  readonly day?: string | undefined
  readonly marks?: readonly Mark[] | undefined
  /** Query tokens in this text: texts that differ here answer the query differently and stay apart. */
  readonly matchedTokens: ReadonlySet<string>
}
export interface CollapsedHit<Candidate> {
  /** The best live candidate of a group; without a live one the best. */
  readonly hit: Candidate
  /**
   * Only where there are several: their number, and the citations `path#L12` of the first and last, by day where all
   * have one, else by path and line.
   */
  readonly repeats?: { readonly count: number; readonly first: string; readonly last: string }
  /** Citations of archived and derived texts that repeat the live hit. */
  readonly copies?: readonly string[]
  /** Near copies of the hit, itself first, with the differing words of each. */
  readonly nearCopies?: readonly NearCopy<Candidate>[]
  /** Candidates that are not shown, in the given order. */
  readonly collapsed: readonly Candidate[]
}
export interface NearCopy<Candidate> {
  readonly candidate: Candidate
  readonly differs: readonly string[]
}

/** Candidates with the same text. */
interface Group<Candidate> {
  readonly tokens: string
  readonly text: ComparableText
  readonly members: Candidate[]
  /** Whether another group may be a near copy. */
  isAlike: boolean
}

/**
 * Joins candidates with the same text to one hit, in the given order (best first), and near copies of a long text under
 * the best of them with their differences. An archived or derived copy never ranks above its live twin: it is listed
 * under it, and the hit keeps the place of the live one.
 */
export function collapseRepeats<Candidate extends RepeatCandidate>(candidates: readonly Candidate[]): CollapsedHit<Candidate>[] {
  const groups: Group<Candidate>[] = []
  for (const candidate of candidates) addToGroup(groups, candidate)
  const place = new Map(candidates.map((candidate, index) => [candidate, index]))
  const placeOfHit = ({ hit }: CollapsedHit<Candidate>) => place.get(hit) ?? 0
  const hits = groups.map(({ members, tokens, isAlike }) => ({ ...collapsedHit(members), tokens, isAlike }))
  hits.sort((left, right) => Number(isCopy(left.hit)) - Number(isCopy(right.hit)) || placeOfHit(left) - placeOfHit(right))
  return joinNearCopies(hits).sort((left, right) => placeOfHit(left) - placeOfHit(right))
}

/** Compares texts only where a cheap test does not tell them apart. */
function addToGroup<Candidate extends RepeatCandidate>(groups: Group<Candidate>[], candidate: Candidate): void {
  const tokens = [...candidate.matchedTokens].sort().join('\n')
  const { text } = candidate
  let isAlike = false
  for (const group of groups) {
    if (group.tokens !== tokens || !mayBeAlike(group.text, text)) continue
    if (group.text.key() === text.key()) {
      group.members.push(candidate)
      return
    }
    isAlike = true
    group.isAlike = true
  }
  groups.push({ tokens, text, members: [candidate], isAlike })
}

/** Live texts come first, so that no copy leads one. */
function joinNearCopies<Candidate extends RepeatCandidate>(
  hits: readonly (CollapsedHit<Candidate> & Pick<Group<Candidate>, 'tokens' | 'isAlike'>)[],
): CollapsedHit<Candidate>[] {
  const groups: {
    readonly tokens: string
    readonly isAlike: boolean
    readonly entry: CollapsedHit<Candidate>
    readonly nearCopies: NearCopy<Candidate>[]
    readonly collapsed: Candidate[]
  }[] = []
  for (const { tokens, isAlike, ...entry } of hits) {
    const { hit, collapsed } = entry
    let isJoined = false
    for (const group of isAlike ? groups : []) {
      const isCompared = group.isAlike && group.tokens === tokens && mayBeAlike(group.entry.hit.text, hit.text)
      const differences = isCompared ? nearCopyDifferences(group.entry.hit.text, hit.text) : undefined
      if (differences === undefined) continue
      if (group.nearCopies.length === 0) group.nearCopies.push({ candidate: group.entry.hit, differs: differences.left })
      group.nearCopies.push({ candidate: hit, differs: differences.right })
      group.collapsed.push(hit, ...collapsed)
      isJoined = true
      break
    }
    if (!isJoined) groups.push({ tokens, isAlike, entry, nearCopies: [], collapsed: [...collapsed] })
  }
  return groups.map(({ entry, nearCopies, collapsed }) => (nearCopies.length === 0 ? entry : { ...entry, nearCopies, collapsed }))
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
  return marks?.some((mark) => mark === 'archived' || mark === 'copy' || mark === 'derived') ?? false
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
