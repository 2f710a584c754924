import { expect, test } from 'vitest'
import { FIRST_EXPRESSIONS, OTHER_EXPRESSIONS, REFERENCE_DAY, type TimeExpression } from './__fixtures__/time-expressions.ts'
import { readDates } from './read-dates.ts'

const now = { nowMs: Date.parse(`${REFERENCE_DAY}T12:00Z`), timeZone: 'UTC' }

/** Expressions of which the only date is right on the first and the last day. */
function rightByDates(expressions: readonly TimeExpression[]): number {
  return expressions.filter(([, text, days]) => {
    const read = readDates(text, now).map(({ from, to }) => (from === to ? from : `${from}..${to}`))
    return read.join(' ') === days
  }).length
}

test('expressions that name one date, and no range or open end, are read as dates', () => {
  expect([rightByDates(FIRST_EXPRESSIONS), rightByDates(OTHER_EXPRESSIONS)]).toEqual([22, 6])
})
