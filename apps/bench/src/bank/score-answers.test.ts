import { expect, test } from 'vitest'
import { differingAnswers, kindTable } from './bank-report.ts'
import { makeYear, type YearSize } from './made-year.ts'
import { measureYear } from './measure-year.ts'
import type { CitedLines } from '../report/cited-lines.ts'
import { meanScore, scoreAnswer } from './score-answers.ts'
import { makeQuestions } from './year-questions.ts'

const SMALL: YearSize = { facts: 260, entities: { person: 2, project: 1, thing: 2 } }
const at = (path: string, line: number, endLine = line): CitedLines => ({ path, startLine: line, endLine })
const other = at('other.md', 1)
const QUESTION = {
  goldPlaces: [
    [
      { path: 'a.md', line: 3 },
      { path: 'copy.md', line: 1 },
    ],
    [{ path: 'b.md', line: 5 }],
  ],
  stale: [{ path: 'old.md', line: 2 }],
}

test.each([
  { name: 'both facts, one by its copy', cited: [at('copy.md', 1), other, at('b.md', 4, 6)], score: [1, 1, false] },
  { name: 'one fact twice', cited: [other, at('a.md', 1, 9), at('copy.md', 1)], score: [0.5, 0.5, false] },
  { name: 'stale first', cited: [at('old.md', 2), at('b.md', 5)], score: [0.5, 0.5, true] },
  { name: 'stale and no gold', cited: [other, at('old.md', 1, 9)], score: [0, 0, true] },
  { name: 'neither', cited: [other], score: [0, 0, false] },
  { name: 'nothing', cited: [], score: [0, 0, false] },
  { name: 'gold in the sixth place', cited: [other, other, other, other, other, at('a.md', 3)], score: [0, 1 / 6, false] },
  { name: 'beside its line', cited: [at('a.md', 4, 8)], score: [0, 0, false] },
])('$name', ({ cited, score }) => {
  const { recallAt5, reciprocalRank, isStaleFirst } = scoreAnswer(QUESTION, cited)
  expect([recallAt5, reciprocalRank, isStaleFirst]).toEqual(score)
})

test('one citation with gold and stale lines ranks neither first, and its lines are counted', () => {
  const question = { goldPlaces: [[{ path: 'a.md', line: 3 }]], stale: [{ path: 'a.md', line: 9 }] }
  expect(scoreAnswer(question, [at('a.md', 1, 10)])).toEqual({
    recallAt5: 1,
    reciprocalRank: 1,
    isStaleFirst: false,
    linesAt5: 10,
  })
})

test('means leave out questions without stale lines where they have nothing to say', () => {
  const fair = scoreAnswer({ goldPlaces: QUESTION.goldPlaces, stale: [] }, [at('a.md', 3)])
  expect(fair.isStaleFirst).toBeUndefined()
  expect(meanScore([fair, scoreAnswer(QUESTION, [at('old.md', 2)])]).staleAboveGold).toBe(1)
  expect(meanScore([fair])).not.toHaveProperty('staleAboveGold')
  expect(() => meanScore([])).toThrow(RangeError)
})

test('any function that answers can be measured: one that knows the gold lines scores 1', async () => {
  const year = makeYear(3, 'retain', SMALL)
  const questions = makeQuestions(year, 2)
  const goldOf = new Map(questions.map(({ text, goldPlaces }) => [text, goldPlaces.flatMap(([first]) => first ?? [])]))
  const answers = await measureYear(year, questions, {
    store: 'memory',
    askOf:
      () =>
      async ({ text }) =>
        (goldOf.get(text) ?? []).map(({ path, line }) => at(path, line)),
  })
  expect(meanScore(answers.map(({ score }) => score))).toMatchObject({ recallAt5: 1, mrrAt10: 1, staleAboveGold: 0 })
  expect(
    kindTable([{ seed: 3, answers }])
      .rows.at(-1)
      ?.slice(0, 3),
  ).toEqual(['all', 'all', String(questions.length)])
})

test('plain search finds less than four fifths, and the same in whatever order notes were indexed', async () => {
  const year = makeYear(3, 'retain', SMALL)
  const questions = makeQuestions(year, 4)
  const answers = await measureYear(year, questions, { store: 'memory' })
  const shuffled = await measureYear(year, questions, { store: 'memory', shuffle: 5 })
  expect(meanScore(answers.map(({ score }) => score)).recallAt5).toBeLessThan(0.8)
  expect(differingAnswers(answers, shuffled)).toBe(0)
})
