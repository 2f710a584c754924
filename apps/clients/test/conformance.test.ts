import { expect, test } from 'vitest'
import { problemsOf, runSuite } from './conformance/run-suite.ts'

test('the official conformance suite passes, but for what does not apply', async () => {
  const outcomes = await runSuite()
  expect(problemsOf(outcomes)).toEqual([])
  expect(outcomes.filter(({ reason }) => reason === null).map(({ scenario }) => scenario)).toEqual([
    'server-initialize',
    'ping',
    'completion-complete',
    'tools-list',
    'server-sse-multiple-streams',
    'resources-list',
    'dns-rebinding-protection',
  ])
})

test('a scenario that should pass and does not, or the other way round, is a problem', () => {
  const [ping, prompts] = [
    { scenario: 'ping', reason: null },
    { scenario: 'prompts-list', reason: 'x' },
  ]
  const problems = (one: object): number =>
    problemsOf([{ passed: 0, failed: [], ...one } as never]).filter((text) => !text.includes('any more')).length
  expect(problems({ ...ping, failed: ['no answer'] })).toBe(1)
  expect(problems(ping)).toBe(1)
  expect(problems({ ...ping, passed: 1 })).toBe(0)
  expect(problems({ ...prompts, failed: ['x'] })).toBe(0)
  expect(problems({ ...prompts, passed: 1 })).toBe(1)
})
