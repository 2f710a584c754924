/** Documents of an `update`, or of a newly added collection, counted by state. */
export interface UpdateCounts {
  readonly added: number
  readonly updated: number
  readonly unchanged: number
  readonly removed: number
}

const COUNTS = /Indexed:\s*(\d+) new,\s*(\d+) updated,\s*(\d+) unchanged,\s*(\d+) removed/g

/** The sum over all collections; null where the program prints no counts. */
export function parseUpdate(output: string): UpdateCounts | null {
  const found = [...output.matchAll(COUNTS)].map((match) => match.slice(1).map(Number))
  if (found.length === 0) return null
  const sum = (column: number): number => found.reduce((total, counts) => total + (counts[column] ?? 0), 0)
  return { added: sum(0), updated: sum(1), unchanged: sum(2), removed: sum(3) }
}

export interface ProgramStatus {
  readonly documents: number | null
  /** Pieces of text with a vector, and texts still waiting. */
  readonly vectors: number | null
  readonly pending: number | null
}

/** Numbers in the program's status; null where missing, except pending texts, which it leaves out when there are none. */
export function parseStatus(output: string): ProgramStatus {
  const number = (pattern: RegExp): number | null => {
    const digits = pattern.exec(output)?.[1]?.replaceAll(/[,._]/g, '')
    return digits === undefined ? null : Number(digits)
  }
  const vectors = number(/^\s*Vectors:\s*([\d,._]+)/m)
  return {
    documents: number(/^\s*Total:\s*([\d,._]+)/m),
    vectors,
    pending: number(/^\s*Pending:\s*([\d,._]+)/m) ?? (vectors === null ? null : 0),
  }
}

export interface ListedCollection {
  readonly name: string
  readonly pattern: string | null
}

const LISTED = /^\s*(\S.*?)\s+\(qmd:\/\/[^)]*\)[^\n]*(?:\n\s+Pattern:[ \t]*([^\n]*\S))?/gm

export function parseCollections(output: string): readonly ListedCollection[] {
  return [...output.matchAll(LISTED)].map(([, name = '', pattern]) => ({ name, pattern: pattern ?? null }))
}

/** The folder in the output of `collection show`; null in versions without that command. */
export function parseCollectionFolder(output: string): string | null {
  return /^\s*Path:[ \t]*(\S.*?)\s*$/m.exec(output)?.[1] ?? null
}

export function parseVersion(output: string): string | null {
  return /\b(\d+\.\d+\.\d+(?:-[\w.]+)?)/.exec(output)?.[1] ?? null
}
