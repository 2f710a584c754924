import type { FactDays } from '../retain/fact.ts'

const BUCKETS = 8
const MS_PER_DAY = 86_400_000

/**
 * Reorders what a time window holds so that one busy day does not fill it: the best of each part of the window come
 * first, parts by the rank of their best, then the second of each, and so on. Both days inclusive, YYYY-MM-DD; undated
 * items are a part of their own.
 */
export function spreadOverDays<Item>(
  ranked: readonly Item[],
  window: { readonly from: string; readonly to: string },
  daysOf: (item: Item) => FactDays | undefined,
): readonly Item[] {
  const [first, last] = [dayNumber(window.from), dayNumber(window.to)]
  const width = Math.max(1, (last - first + 1) / BUCKETS)
  const parts = new Map<number, Item[]>()
  for (const item of ranked) {
    const days = daysOf(item)
    const day = days === undefined ? undefined : Math.min(Math.max(dayNumber(days.from), first), last)
    const part = day === undefined ? -1 : Math.floor((day - first) / width)
    const known = parts.get(part)
    if (known === undefined) parts.set(part, [item])
    else known.push(item)
  }
  const lists = [...parts.values()]
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat()
}

function dayNumber(day: string): number {
  return Math.floor(Date.parse(`${day}T00:00:00Z`) / MS_PER_DAY)
}
