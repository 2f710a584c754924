import { expect, test } from 'vitest'
import { clockProblems } from './test-clocks.ts'

// Written apart, so that the check does not find them here.
const NOW = ['performance', 'now()'].join('.')
const DATE = ['Date', 'now()'].join('.')
const LIMIT = (option: string): string => ['time', option].join('')

test.each([
  [`expect(${NOW} - startedMs).toBeLessThan(2_000)`, 'measures elapsed time'],
  [`const took = ${DATE} - begin`, 'measures elapsed time'],
  [`import { set${'Timeout'} as sleep } from 'node:timers/promises'`, 'sleeps'],
  [`await new Promise((resolve) => set${'Timeout'}(resolve, 50))`, 'sleeps'],
  [`await vi.${'waitFor'}(() => expect(done).toBe(true))`, 'waits a second'],
  [`await expect.poll(work, { ${LIMIT('out: 5_000')} })`, 'under a minute'],
  [`test('x', () => {\n${'}'}, 20_000)`, 'under a minute'],
])('P90: %j is a test that watches the clock', (text, problem) => {
  expect(clockProblems(`\n${text}\n`)).toEqual([expect.stringMatching(new RegExp(`^line [23] .*${problem}`))])
})

test.each([
  'expect(clock.now() - startedMs).toBeLessThanOrEqual(2_000)',
  `database.run(${DATE} - 61_000)`,
  'assertGrowsLinearly((size) => cut(part.repeat(size)), 300_000)',
  `spawn(program, { ${LIMIT('out: 600_000')} })`,
  'const fake = await openFake({ limits: { timeoutMs: 3_000 } })',
  "import { setImmediate } from 'node:timers/promises'",
  'await expect.poll(() => calls).toHaveLength(3)',
])('P90: %j does not', (text) => {
  expect(clockProblems(text)).toEqual([])
})
