import { decodeHeader, isOwnSegment } from '../format/segment-header.ts'

/** Number of segments of one tier that become one of the next. */
const FAN_IN = 8

function tierOf(count: number): number {
  return Math.floor(Math.log(Math.max(1, count)) / Math.log(FAN_IN))
}

/**
 * The segments to merge next: those of another version of this program, which no longer hold anything, else the lowest
 * full tier, else undefined. Merging keeps the segments of a query few.
 */
export function planMerge(
  segments: readonly { readonly id: string; readonly header: Uint8Array }[],
): readonly string[] | undefined {
  const foreign = segments.filter(({ header }) => !isOwnSegment(header)).map(({ id }) => id)
  if (foreign.length > 0) return foreign
  const tiers = new Map<number, string[]>()
  for (const { id, header } of segments) {
    const tier = tierOf(decodeHeader(header).count)
    tiers.set(tier, [...(tiers.get(tier) ?? []), id])
  }
  const full = [...tiers].filter(([, ids]) => ids.length >= FAN_IN).sort(([left], [right]) => left - right)[0]
  return full?.[1]
}
