import { expect, test } from 'vitest'
import { runLinkRounds } from '../links/link-rounds.ts'

test('P104: nothing outside is read, written or moved while a process swaps folders and notes with links', async () => {
  const report = await runLinkRounds(500)
  expect(report).toMatchObject({ readOutside: 0, writtenOutside: 0, unexpected: [] })
  // Neither means much without the other: operations got through, and swaps got in their way.
  expect(report.done).toBeGreaterThan(0)
  expect(report.refused).toBeGreaterThan(0)
})
