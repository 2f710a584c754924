import { assertGrowsLinearly } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { hasEscapedNewlines } from './escaped-newlines.ts'

test.each([
  String.raw`- first\n- second`,
  String.raw`# Title\n\nText`,
  String.raw`line one\nline two`,
  String.raw`Decision made.\nNext step: deploy`,
  String.raw`Decision (final)\nNext step`,
  String.raw`Text that ends\n`,
  String.raw`one.\r\n\r\ntwo`,
  String.raw`para one\n\npara two`,
  String.raw`قرار اليوم\nالخطوة التالية`,
  String.raw`决定了\n下一步`,
  String.raw`done ✅\nnext`,
  String.raw`| a | b |\n|---|---|`,
  String.raw`1. one\n2. two`,
])('%s came with escaped line breaks', (text) => {
  expect(hasEscapedNewlines(text)).toBe(true)
})

test.each([
  String.raw`Backups are in C:\new\notes`,
  String.raw`Look in D:\data\new\node.exe and \\server\n1`,
  String.raw`The pattern is ^\d+\n$ and nothing else`,
  'Split on `\\n` and join with `a\\nb`',
  String.raw`Use \n as the separator, or "\n\n" for paragraphs`,
  String.raw`printf("%d\n") prints a number`,
  String.raw`split(a\nb) is wrong`,
  String.raw`run bin\node.exe`,
  'real line\nand a literal \\n- here',
  'nothing special',
  String.raw`LaTeX: $x\neq y$, $a\nabla f$ and \nu`,
])('%s is meant as it stands', (text) => {
  expect(hasEscapedNewlines(text)).toBe(false)
})

test.each([String.raw`'\n`, String.raw`(\n`, String.raw`|\n`, '`', String.raw`a\n`, String.raw`\n `])(
  'P101: the work grows with the length of the text: %s',
  (part) => {
    assertGrowsLinearly((length) => hasEscapedNewlines(`${String.raw`\n`}${part.repeat(length / part.length)}`), 400_000)
  },
)
