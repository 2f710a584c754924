import { assertGrowsLinearly } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { entriesOf } from '../repeats/entries.ts'
import { inlineEdits } from '../text/letters/inline-marks.ts'
import { analyseRunOnce } from '../text/analyse.ts'
import { eachRun } from '../text/runs.ts'
import { readFrontMatter } from './properties/front-matter.ts'
import { parseDocument } from './parse-document.ts'

// `pnpm check:patterns` found these: each stalled the reader of such a note.

test('P101: comments and carriage returns before the first key of front matter end soon', () => {
  const { problem, frontMatter } = readFrontMatter(`---\n${'#\r\n'.repeat(300)}x\n`)
  expect([problem, frontMatter]).toEqual([undefined, undefined])
  expect(readFrontMatter(`---\r\n# first\r\n\r\ntitle: Keys\r\n---\r\n`).frontMatter?.title).toBe('Keys')
})

test.each([
  ['ends of untrusted data', 'UNTRUSTED DATA\n', 'END '],
  ['beginnings of untrusted data', '', 'BEGIN A UNTRUSTED '],
  ['signs before untrusted data', '-'.repeat(2_000), 'UNTRUSTED '],
  ['receipts that never end', '', '<!-- mnemark:recalled '],
  ['ends of receipts that never end', '<!-- mnemark:recalled -->', '<!-- /mnemark:recalled '],
  ['directives that never end', '', '[[reply_to: '],
  ['underscores', 'a', '_'],
  ['slashes of a tag', '#a', '/'],
  ['placeholders that never end', '', '<%'],
  ['emphasis that never ends', '# ', '**a '],
  ['emoji joined to emoji', '', '😀\u200d'],
  ['signs of currency', '', '12 $'],
])('P101: the work for a note grows with its length: %s', (_name, start, part) => {
  assertGrowsLinearly((length) => {
    const text = start + part.repeat(length / part.length)
    parseDocument({ source: 'memory', path: 'memory/a.md' }, { text })
    entriesOf(text)
    inlineEdits(text)
  }, 200_000)
  assertGrowsLinearly((length) => eachRun(start + part.repeat(length / part.length), analyseRunOnce), 50_000)
})
