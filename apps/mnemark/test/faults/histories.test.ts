import { expect, test } from 'vitest'
import { runHistory } from './histories.ts'

// The short form; `pnpm test:histories` is the long one.

const HISTORIES = 20

test(`P03: ${HISTORIES} random histories of a third of dead chunks and 300 equal entries rank as clean indexes do`, async () => {
  const reports = []
  for (let seed = 1; seed <= HISTORIES; seed++) reports.push({ seed, ...(await runHistory(seed)) })
  expect(reports.flatMap(({ seed, problems }) => problems.map((problem) => `seed ${seed}: ${problem}`))).toEqual([])
  expect(Math.min(...reports.map(({ deadShare }) => deadShare))).toBeGreaterThanOrEqual(0.3)
  expect(reports.reduce((sum, { kills }) => sum + kills, 0)).toBeGreaterThan(HISTORIES)
})
