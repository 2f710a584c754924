import type { LineReader } from './normal-signs.ts'
import { errorAt, type Finding } from '../problems.ts'

/** A confidence in brackets; `isNamed`: `c=` stands before the number, so that the line is a fact whatever follows. */
export interface Confidence {
  readonly value: number
  readonly isNamed: boolean
}

const KEYED = /[ \t]{0,3}\([ \t]{0,5}(?:c|conf|confidence)[ \t]{0,5}[=:≈~][ \t]{0,5}/iy
const BARE = /[ \t]{0,3}\([ \t]{0,5}(?=[\d.,])/y
const BEGUN = /\([ \t]{0,5}(?:c|conf|confidence)?[ \t]{0,5}$/iy
const VALUE = /([^()\n]{0,40})\)/y
const NUMBER = /^(?:([01]?[.,]\d{1,12})|([01])|(\d{1,3}(?:[.,]\d{1,6})?)[ \t]{0,3}%)$/
/** Ranges and letters for a number: the line describes the form. */
const PLACEHOLDER =
  /^(?:[\d.,x]{1,8}[ \t]{0,2}(?:\.\.|-|–|to)[ \t]{0,2}[\d.,x]{1,8}|[\d.,]{0,4}[xXnN]{1,4}|[<{[].{0,30}|…|\.{2,3}|_{1,4}|\?)$/

/** Reads `(c=0.8)`, `(.9)`, `(90%)`; null where no confidence stands here. */
export function readConfidence(reader: LineReader): Confidence | 'format' | Finding | null {
  const start = reader.at
  const isNamed = reader.take(KEYED) !== null
  if (!isNamed && reader.take(BARE) === null) return reader.sees(BEGUN) ? errorAt('unclosed', start) : null
  const from = reader.at
  const found = reader.take(VALUE)?.[1]
  if (found === undefined) {
    reader.at = start
    return isNamed ? errorAt('unclosed', from) : null
  }
  const text = found.trim()
  const value = numberOf(text)
  if (value !== undefined) return { value, isNamed }
  reader.at = start
  if (!isNamed) return null
  return PLACEHOLDER.test(text) ? 'format' : errorAt('bad-confidence', from)
}

/** A number from 0 to 1, kept to four decimals; undefined for any other text, in normal signs. */
export function numberOf(text: string): number | undefined {
  const [, fraction, whole, percent] = NUMBER.exec(text) ?? []
  const number =
    percent === undefined ? Number((fraction ?? whole ?? 'x').replace(',', '.')) : Number(percent.replace(',', '.')) / 100
  return number >= 0 && number <= 1 ? Math.round(number * 10_000) / 10_000 : undefined
}
