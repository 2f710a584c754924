import { TOKEN_UNITS, tokenUnits } from '../text/estimate-tokens.ts'

/** How long texts are. One token is `TOKEN_UNITS`. */
export interface Measure {
  readonly units: (text: string, start: number, end: number) => number
  /** Sums of parts are the measure of the whole; else a text put together is measured again. */
  readonly isAdditive: boolean
}

const ESTIMATE: Measure = { units: tokenUnits, isAdditive: true }

/** The estimate, or a tokenizer of the caller's. Throws RangeError where that answers no count. */
export function measureBy(countTokens: ((text: string) => number) | undefined): Measure {
  if (countTokens === undefined) return ESTIMATE
  const units = (text: string, start: number, end: number) => {
    const count = start === end ? 0 : countTokens(text.slice(start, end))
    if (!(count >= 0 && count < Infinity)) throw new RangeError(`countTokens must answer a number from 0, got ${count}`)
    return Math.ceil(count) * TOKEN_UNITS
  }
  return { units, isAdditive: false }
}
