import { expect, test } from 'vitest'
import { memoryAppend } from '../tools/memory-append.ts'
import { memoryGet } from '../tools/memory-get.ts'
import { memoryList } from '../tools/memory-list.ts'
import { memorySearch } from '../tools/memory-search.ts'
import { readInput } from './read-input.ts'

test.each([
  [
    { query: 'x', maxResults: 3 },
    { query: 'x', limit: 3 },
  ],
  [
    { query: 'x', max_results: '3' },
    { query: 'x', limit: 3 },
  ],
  [
    { q: 'x', top_k: 3 },
    { query: 'x', limit: 3 },
  ],
  [
    { Query: 'x', paths: 'memory' },
    { query: 'x', paths: ['memory'] },
  ],
  [
    { query: 'x', tags: '["a", "b"]' },
    { query: 'x', tags: ['a', 'b'] },
  ],
  [
    { query: 'x', tags: 2026 },
    { query: 'x', tags: ['2026'] },
  ],
  [
    { query: 'x', k: '٣' },
    { query: 'x', limit: 3 },
  ],
  [
    { query: 'x', numResults: ' １２ ' },
    { query: 'x', limit: 12 },
  ],
  [
    { query: 'x', n: '१०' },
    { query: 'x', limit: 10 },
  ],
  [
    { query: 'x', tags: 'بيت' },
    { query: 'x', tags: ['بيت'] },
  ],
  [
    { query: 'x', tags: '家, 船' },
    { query: 'x', tags: ['家, 船'] },
  ],
  [{ query: 'x', limit: null, paths: '' }, { query: 'x' }],
])('P75: what was meant is taken: %j', (input, read) => {
  expect(readInput(memorySearch, input)).toEqual(read)
})

test('P75: so is the place to read by other names', () => {
  expect(readInput(memoryGet, { file_path: 'a.md', startLine: '3', limit: 2 })).toEqual({ path: 'a.md', from: 3, lines: 2 })
  expect(readInput(memoryGet, { path: 'a.md', 'quote-hash': 'q1' })).toEqual({ path: 'a.md', quoteHash: 'q1' })
})

test.each([
  [memorySearch, { qery: 'x' }, /^memory_search: query is missing; there is no parameter "qery"\.$/],
  [memorySearch, { query: 'x', limit: 5, top_k: 3 }, /no parameter "top_k"/],
  [memorySearch, { query: 'x', limit: 'many' }, /limit: expected a whole number from 1 to 100/],
  [memorySearch, { query: 'x', limit: '三' }, /limit: expected a whole number from 1 to 100/],
  [memorySearch, { query: 'x', limit: '-3' }, /limit: expected a whole number from 1 to 100/],
  [memorySearch, { query: 'x', tags: { a: 1 } }, /tags: expected a list of texts/],
  [memoryGet, { path: 'x.md', from: 0 }, /from: expected a whole number from 1\./],
  [memoryList, { limit: '٢٠١' }, /limit: expected a whole number from 1 to 200/],
  [memorySearch, { query: 'x', limit: '3.5' }, /limit/],
  [memorySearch, 'x', /expected an object/],
  [memoryAppend, { content: 'x' }, /text is missing; there is no parameter "content"/],
  [memoryAppend, { text: 'x', path: 'memory/a.md' }, /no parameter "path"/],
])('what cannot be meant names the parameters of the tool: %#', (tool, input, words) => {
  expect(() => readInput<unknown>(tool, input)).toThrow(words)
  expect(() => readInput<unknown>(tool, input)).toThrow(
    expect.objectContaining({ code: 'bad-input', next: expect.stringContaining('Correct the input') }),
  )
})
