import { ConfigError } from '@mnemark/spec'

export interface FileLimit {
  /** Most hits of one file among the first ones, default 3. */
  readonly perFile?: number
  /** Number of hits that count as the first ones, default 10. */
  readonly first?: number
}

/**
 * Allows at most `perFile` hits of one file among the first, unless there is nothing else; otherwise keeps the order.
 * Hits over the limit move behind the first ones, none is lost. Throws ConfigError for limits that are not whole
 * numbers from 1.
 */
export function limitPerFile<Candidate extends { readonly path: string; readonly source?: string | undefined }>(
  candidates: readonly Candidate[],
  limit: FileLimit = {},
): Candidate[] {
  const { perFile, first } = { perFile: checked(limit.perFile ?? 3, 'perFile'), first: checked(limit.first ?? 10, 'first') }
  const countByFile = new Map<string, number>()
  const front = new Set<number>()
  for (const [index, { source = '', path }] of candidates.entries()) {
    if (front.size === first) break
    const file = `${source}\n${path}`
    const count = countByFile.get(file) ?? 0
    if (count >= perFile) continue
    countByFile.set(file, count + 1)
    front.add(index)
  }
  const behind = candidates.filter((_, index) => !front.has(index))
  return [...candidates.filter((_, index) => front.has(index)), ...behind]
}

function checked(value: number, name: string): number {
  if (Number.isInteger(value) && value >= 1) return value
  throw new ConfigError('invalid-value', `${name}: expected a whole number from 1, got ${String(value)}`)
}
