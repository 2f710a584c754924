import { expect, test } from 'vitest'
import { meanScore, scoreAnswer } from './score.ts'

const hit = (path: string, startLine = 1, endLine = 10) => ({ path, startLine, endLine })

test('one right answer is scored by its rank', () => {
  const gold = [{ path: 'a.md', lines: [5, 6] as const }]
  expect(scoreAnswer([hit('a.md')], { gold })).toEqual({ recallAt1: 1, recallAt5: 1, recallAt10: 1, mrrAt10: 1, ndcgAt10: 1 })
  const third = scoreAnswer([hit('b.md'), hit('a.md', 7, 9), hit('a.md', 6, 8)], { gold })
  expect(third).toEqual({ recallAt1: 0, recallAt5: 1, recallAt10: 1, mrrAt10: 1 / 3, ndcgAt10: 0.5 })
  const eleventh = scoreAnswer([...Array.from({ length: 10 }, () => hit('b.md')), hit('a.md')], { gold })
  expect(eleventh).toEqual({ recallAt1: 0, recallAt5: 0, recallAt10: 0, mrrAt10: 0, ndcgAt10: 0 })
})

test('a place counts once, and a whole note is found by any of its lines', () => {
  const gold = [{ path: 'a.md' }, { path: 'b.md' }]
  const answer = scoreAnswer([hit('a.md', 90, 99), hit('a.md'), hit('b.md')], { gold })
  expect(answer).toMatchObject({ recallAt1: 0.5, recallAt5: 1, mrrAt10: 1 })
  expect(answer.ndcgAt10).toBeCloseTo((1 + 0.5) / (1 + 1 / Math.log2(3)), 10)
})

test('the mean is taken figure by figure, and of nothing is zero', () => {
  const good = { recallAt1: 1, recallAt5: 1, recallAt10: 1, mrrAt10: 1, ndcgAt10: 1 }
  const bad = { recallAt1: 0, recallAt5: 0, recallAt10: 1, mrrAt10: 0.1, ndcgAt10: 0.2 }
  expect(meanScore([good, bad])).toEqual({ recallAt1: 0.5, recallAt5: 0.5, recallAt10: 1, mrrAt10: 0.55, ndcgAt10: 0.6 })
  expect(meanScore([])).toEqual({ recallAt1: 0, recallAt5: 0, recallAt10: 0, mrrAt10: 0, ndcgAt10: 0 })
})
