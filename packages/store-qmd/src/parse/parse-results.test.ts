import { describe, expect, test } from 'vitest'
import { parseResults } from './parse-results.ts'

const RESULT = { file: 'qmd://m/x.md', score: 0.8, snippet: '', line: null }
const JSON_RESULT = '{"docid":"#a1","score":0.8,"file":"qmd://m/x.md"}'

describe('B73: the results are found among what else is printed', () => {
  test('log lines that begin with a bracket are not the list', () => {
    const printed = `[node-llama-cpp] using CPU\nExpanding query...\n[${JSON_RESULT}]`
    expect(parseResults(printed)).toEqual([RESULT])
  })

  test.each([
    'No results found.\n',
    'No results found above minimum score threshold.\n',
    '[]\n',
    '[gpu] none\n[]',
    '\u001B[2m[]\u001B[0m',
  ])('%j is an empty list', (printed) => expect(parseResults(printed)).toEqual([]))

  test.each([
    ['behind progress on one line', `Expanding query...[${JSON_RESULT}]`],
    ['before a log line', `[\n  ${JSON_RESULT}\n]\n[ggml] freed [0]\n`],
    ['behind another list', `[{"model":"x"}]\n[1, 2]\n[]\n[${JSON_RESULT}]`],
    ['with brackets and quotes in its texts', `[{"score":0.8,"file":"qmd://m/x.md","title":"a ] \\" [ b"}]`],
    ['in colours', `\u001B[32m[${JSON_RESULT}]\u001B[0m`],
  ])('%s', (_, printed) => expect(parseResults(printed)).toEqual([RESULT]))
})

describe('what cannot be read is not taken for nothing found', () => {
  test.each([
    ['nothing at all', ''],
    ['other words', 'Segmentation fault'],
    ['a torn list', `[${JSON_RESULT},{"docid":"#a2","sco`],
    ['a torn list that holds an empty one', `[\n  {"file":"a","explain": [],"snip`],
    ['a list of something else', '[1, 2]'],
    ['results without files', '[{"score": 1}]'],
    ['an object', '{"file":"a"}'],
  ])('%s', (_, printed) => expect(parseResults(printed)).toBeNull())

  test('a long log of brackets ends soon', () => {
    expect(parseResults('[{'.repeat(200_000))).toBeNull()
  })
})

test('scores are from 0 to 1 and finite, lines are line numbers', () => {
  const printed = '[{"file":"a","score":7,"line":0},{"file":"b","score":"NaN","line":2},{"file":"c","score":-1}]'
  expect(parseResults(printed)).toEqual([
    { file: 'a', score: 1, snippet: '', line: null },
    { file: 'b', score: 0, snippet: '', line: 2 },
    { file: 'c', score: 0, snippet: '', line: null },
  ])
})
