import type { ChunkUnits } from './chunk-units.ts'

/** Units [`from`, `end`) of a chunk; those before `main` repeat the end of the chunk before. */
export interface Packed {
  readonly from: number
  readonly main: number
  readonly end: number
}

export interface PackLimits {
  readonly maxUnits: number
  readonly overlapUnits: number
  /** Measures the text of units [from, end) itself, where the sum of parts is not its measure. */
  readonly fits?: (from: number, end: number) => boolean
}

/** Breaks are searched in the last part of what fits; the further from its end, the less they count. */
const WINDOW = 0.5
const DISTANCE_COST = 0.8
const LEAST_NEW = 0.25

/**
 * Fills chunks from the units of `region` [start, end): as much as fits, cut at the best break near the end of it.
 * Blocks that fit stay whole. The next chunk repeats whole units up to the overlap, unless it begins with a heading of
 * level 1 or 2, which starts another subject. Every chunk begins later and ends later than the one before.
 */
export function packUnits(
  units: ChunkUnits,
  region: { readonly start: number; readonly end: number },
  limits: PackLimits,
): Packed[] {
  const packed: Packed[] = []
  let main = region.start
  let from = main
  while (main < region.end) {
    from = shortenOverlap(units, { from, main, end: region.end }, limits)
    const most = furthestEnd(units, { from, main, end: region.end }, limits)
    from = most.from
    const end = most.end === region.end ? most.end : bestBreak(units, { from, main, end: most.end }, limits)
    packed.push({ from, main, end })
    const least = from + 1
    main = end
    from = overlapStart(units, { least, main }, limits)
  }
  return packed
}

function measureOf(units: ChunkUnits, from: number, end: number): number {
  return (units.before[end - 1] ?? 0) + (units.own[end - 1] ?? 0) - (units.before[from] ?? 0)
}

/** Shortens the overlap to leave room for new text: a quarter of the size, the first unit, the block it begins. */
function shortenOverlap(units: ChunkUnits, packed: Packed, limits: PackLimits): number {
  const { main, end } = packed
  const blockEnd = Math.min(end, Math.max(main + 1, units.blockEnds[main] ?? 0))
  let from = packed.from
  const isTooLong = () =>
    measureOf(units, from, main) > limits.maxUnits * (1 - LEAST_NEW) || measureOf(units, from, blockEnd) > limits.maxUnits
  while (from < main && isTooLong()) from++
  while (from < main && isInsideBlock(units, from)) from++
  return from
}

function isInsideBlock(units: ChunkUnits, unit: number): boolean {
  const end = units.blockEnds[unit] ?? 0
  return end > 0 && units.blockEnds[unit - 1] === end
}

function furthestEnd(units: ChunkUnits, packed: Packed, limits: PackLimits): { readonly from: number; readonly end: number } {
  const { main, from } = packed
  let end = main + 1
  while (end < packed.end && measureOf(units, from, end + 1) <= limits.maxUnits) end++
  if (limits.fits === undefined) return { from, end }
  while (end > main + 1 && !limits.fits(from, end)) end--
  return { from: limits.fits(from, end) ? from : main, end }
}

function bestBreak(units: ChunkUnits, packed: Packed, limits: PackLimits): number {
  const { from, main, end } = packed
  const window = limits.maxUnits * WINDOW
  const full = (units.before[from] ?? 0) + limits.maxUnits
  let best = end
  let bestScore = 0
  for (let unit = end; unit > main; unit--) {
    const distance = (full - (units.before[unit] ?? 0)) / window
    if (distance > 1 && bestScore > 0) break
    const score = (units.breaks[unit] ?? 0) * (1 - DISTANCE_COST * Math.min(1, Math.max(0, distance)) ** 2)
    if (score > bestScore) {
      best = unit
      bestScore = score
    }
  }
  return best
}

function overlapStart(units: ChunkUnits, packed: { readonly least: number; readonly main: number }, limits: PackLimits): number {
  const { least, main } = packed
  const level = units.levels[main] ?? 0
  if (level === 1 || level === 2) return main
  let from = main
  // Data is long, and repeating it adds nothing.
  while (from > least && !units.holdsData[from - 1] && measureOf(units, from - 1, main) <= limits.overlapUnits) from--
  while (from < main && isInsideBlock(units, from)) from++
  return from
}
