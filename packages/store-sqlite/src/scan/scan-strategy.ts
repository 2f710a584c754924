/**
 * Strategies to find the nearest vectors; the choice is made here only.
 *
 * `codes`: the codes of all vectors in memory are compared, and the best ones again by their rows. A block is compared
 * by its int8 codes where it has them, else by its 1-bit codes: a process reads 1-bit codes with its first search,
 * which is all a command needs, and int8 codes in the background from the second one on, where they fit. `matching`: a
 * filter leaves so few chunks that reading their rows is faster than any scan. `rows`: every row is read. Exact and
 * slow: for a space with damaged blocks, until these are rebuilt.
 */
export type ScanStrategy = 'codes' | 'matching' | 'rows'

export interface ScanSituation {
  /** Number of vectors in slots. */
  readonly vectors: number
  /** Number of chunks that pass a filter; null without one. */
  readonly matching: number | null
  readonly areBlocksDamaged: boolean
}

/** A row takes some 4 us to find, read and compare, a code 20 ns. */
const ROWS_ALWAYS_QUICK = 100
const VECTORS_A_ROW = 16
const MOST_MATCHING = 5_000

export function chooseStrategy({ vectors, matching, areBlocksDamaged }: ScanSituation): ScanStrategy {
  if (matching !== null && matching <= Math.min(MOST_MATCHING, ROWS_ALWAYS_QUICK + vectors / VECTORS_A_ROW)) return 'matching'
  return areBlocksDamaged ? 'rows' : 'codes'
}

export interface CodeMemorySituation {
  /** Bytes of a space's int8 codes, and their limit. */
  readonly codeBytes: number
  readonly memoryBytes: number
}

export function fitsMemory({ codeBytes, memoryBytes }: CodeMemorySituation): boolean {
  return codeBytes <= memoryBytes
}

/** Whether int8 codes are worth reading: not for the only search of a process. */
export function isWorthWarming(situation: CodeMemorySituation & { readonly searches: number }): boolean {
  return situation.searches > 1 && fitsMemory(situation)
}

/** Number of candidates that each kind of code passes on to the rows, so that the right ones are among them. */
export interface CandidateCounts {
  readonly bytes: number
  readonly signs: number
}

const SPARE_BYTES = 12
const FEWEST_SIGNS = 600
const SIGNS_A_RESULT = 12
/** With fewer dimensions than this, the bits of a code are less accurate, and more candidates are needed. */
const MANY_DIMENSIONS = 384

export function candidateCounts(results: number, dimensions: number): CandidateCounts {
  const signs = Math.max(FEWEST_SIGNS, SIGNS_A_RESULT * results) * Math.max(1, MANY_DIMENSIONS / dimensions)
  return { bytes: Math.ceil(1.1 * results) + SPARE_BYTES, signs: Math.ceil(signs) }
}
