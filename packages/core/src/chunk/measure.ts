import type { TextRange } from '../document/markdown/hidden-blocks.ts'
import { TOKEN_UNITS, tokenUnits } from '../text/estimate-tokens.ts'

/** Measures texts in units; one token is `TOKEN_UNITS`. */
export interface Measure {
  readonly units: (text: string, start: number, end: number) => number
  /** Whether the sum of parts is the measure of the whole; else a joined text is measured again. */
  readonly isAdditive: boolean
}

const ESTIMATE: Measure = { units: tokenUnits, isAdditive: true }

/** Share of a chunk that a run of data takes; a run of a million characters takes a whole one: it is cited, not read. */
const RUN_SHARE = 1 / 20
const LONGEST_DATA = 1 << 20
/** Size of the pieces of a longer run, in characters. */
export const DATA_PIECE: number = LONGEST_DATA / 2

/** Measures text in which `runs` of data, in order, count by `RUN_SHARE` and their length instead of by their content. */
export function measureWithout(runs: readonly TextRange[], measure: Measure, maxUnits: number): Measure {
  if (runs.length === 0) return measure
  const units = (text: string, start: number, end: number) => {
    let sum = 0
    let from = start
    for (let index = firstBehind(runs, start); index < runs.length; index += 1) {
      const run = runs[index]
      if (run === undefined || run.start >= end) break
      const [runStart, runEnd] = [Math.max(run.start, start), Math.min(run.end, end)]
      if (runStart > from) sum += measure.units(text, from, runStart)
      sum += maxUnits * ((run.start >= start ? RUN_SHARE : 0) + (runEnd - runStart) / LONGEST_DATA)
      from = runEnd
    }
    return from < end ? sum + measure.units(text, from, end) : sum
  }
  return { units, isAdditive: measure.isAdditive }
}

/** Index of the first run that ends after `at`. */
function firstBehind(runs: readonly TextRange[], at: number): number {
  let [low, high] = [0, runs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((runs[middle]?.end ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** Measures by the estimate, or by a caller's tokenizer. Throws RangeError where that returns no count. */
export function measureBy(countTokens: ((text: string) => number) | undefined): Measure {
  if (countTokens === undefined) return ESTIMATE
  const units = (text: string, start: number, end: number) => {
    const count = start === end ? 0 : countTokens(text.slice(start, end))
    if (!(count >= 0 && count < Infinity)) throw new RangeError(`countTokens must answer a number from 0, got ${count}`)
    return Math.ceil(count) * TOKEN_UNITS
  }
  return { units, isAdditive: false }
}
