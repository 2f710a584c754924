import { posix } from 'node:path'
import type { DocumentStat } from '@mnemark/spec'

/** The notes of one day (YYYY-MM-DD) by their names, the log of the day first, then the latest by name; no extra paths. */
export function logsOf(day: string, notes: readonly DocumentStat[]): readonly DocumentStat[] {
  const compact = day.replaceAll('-', '')
  const isOfDay = (name: string): boolean =>
    [day, day.replaceAll('-', '_'), day.replaceAll('-', '.'), compact].some(
      (form) => name.startsWith(form) && !/^\d/.test(name.slice(form.length)),
    )
  return notes
    .filter(({ path }) => !path.startsWith('extra/') && isOfDay(posix.basename(path)))
    .toSorted((left, right) => rank(left, day) - rank(right, day) || (left.path < right.path ? 1 : -1))
}

function rank({ path }: DocumentStat, day: string): number {
  return posix.basename(path, posix.extname(path)) === day ? 0 : 1
}
