import { expect, test } from 'vitest'
import { commentProblems } from './comment-rules.ts'

test.each([
  ['// What c is.', 'What'],
  ['/** Of a call: its time. */', 'Of'],
  ['  /**\n   * Told by the service.\n   */', 'Told'],
  ['/**\n * A person. Or a program:\n * Who wrote it.\n */', 'Who'],
])('%j begins with a fragment', (comment, word) => {
  const line = comment.split('\n').findIndex((text) => text.includes(word)) + 2
  expect(commentProblems('src/x.ts', `const a = 1\n${comment}\n`)).toEqual([
    `src/x.ts:${line} has a comment that begins with "${word}": say the thing first`,
  ])
})

test.each([
  '/** The author of the line. */',
  '// Whatever comes.',
  '// Offsets are counted from 0.',
  '// The rest, of what was sent.',
  "const asked = 'What is new?'",
  'const a = 1 // What one is.',
])('%j does not', (source) => {
  expect(commentProblems('src/x.ts', source)).toEqual([])
})
