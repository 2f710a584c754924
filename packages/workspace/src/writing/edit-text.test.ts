import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editText } from './edit-text.ts'

function replaced(text: string, old: string, to: string): string {
  return editText(text, { replace: { old, new: to } }, 'lf').text
}

function inserted(text: string, afterLine: number, block: string): string {
  return editText(text, { insert: { afterLine, text: block } }, 'lf').text
}

test('one place is replaced, whatever signs stand in it', () => {
  expect(replaced('- Router: 10.0.0.1 (old)\n', '10.0.0.1 (old)', '$& [new] \\1')).toBe('- Router: $& [new] \\1\n')
  expect(replaced('a+b?\n', 'a+b?', 'c')).toBe('c\n')
  expect(replaced('قهوة في الصباح\n', 'قهوة', 'شاي')).toBe('شاي في الصباح\n')
  expect(replaced('keep drop keep\n', ' drop', '')).toBe('keep keep\n')
})

test('line ends of the file are found by plain ones and kept, also in a file that mixes them', () => {
  expect(replaced('a\r\nb\r\nc\r\n', 'a\nb', 'x\ny\nz')).toBe('x\r\ny\r\nz\r\nc\r\n')
  expect(replaced('a\nb\r\nc\r\nd\n', 'b\nc', 'x\ny')).toBe('a\nx\r\ny\r\nd\n')
  expect(replaced('a\r\nb\nc\n', 'b\r\nc', 'x\r\ny')).toBe('a\r\nx\ny\n')
  expect(replaced('one', 'one', 'one\ntwo')).toBe('one\ntwo')
  expect(editText('a\rb\rc\r', { replace: { old: 'a\nb', new: 'x\ny\nz' } }, 'cr')).toEqual({
    text: 'x\ry\rz\rc\r',
    startLine: 1,
    endLine: 3,
  })
})

test.each([
  ['it is not there', 'a b c', 'd'],
  ['it is there twice', 'a b a', 'a'],
  ['two places overlap', 'aaa', 'aa'],
  ['it differs in case', 'A', 'a'],
])('a text that cannot be told apart is a conflict: %s', (_case, text, old) => {
  expect(() => replaced(text, old, 'x')).toThrow(expect.objectContaining({ code: 'conflict' }))
})

test('lines are inserted at the beginning, between lines and at the end, in the line ends around them', () => {
  expect(inserted('a\r\nb\r\n', 0, 'x')).toBe('x\r\na\r\nb\r\n')
  expect(inserted('a\nb\n', 1, 'x\ny\n')).toBe('a\nx\ny\nb\n')
  expect(inserted('a\nb\n', 2, 'x')).toBe('a\nb\nx\n')
  expect(inserted('a\r\nb', 2, 'x')).toBe('a\r\nb\r\nx\r\n')
  expect(inserted('', 0, 'x')).toBe('x\n')
  expect(() => inserted('a\nb\n', 3, 'x')).toThrow(expect.objectContaining({ code: 'conflict' }))
})

test('the lines of the new text are named', () => {
  const place = (change: Parameters<typeof editText>[1]): readonly number[] => {
    const { startLine, endLine } = editText('a\nb\nc\n', change, 'lf')
    return [startLine, endLine]
  }
  expect(place({ replace: { old: 'b', new: 'x\ny' } })).toEqual([2, 3])
  expect(place({ replace: { old: 'b\n', new: 'x\ny\n' } })).toEqual([2, 3])
  expect(place({ replace: { old: 'b\n', new: '' } })).toEqual([2, 2])
  expect(place({ insert: { afterLine: 3, text: 'x\ny' } })).toEqual([4, 5])
  expect(place({ insert: { afterLine: 0, text: 'x' } })).toEqual([1, 1])
})

test('nothing but the named place changes: putting the old text back gives the old file', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'é', '🌸', ' ', '\n', '\r\n', '(', '$', '\\', '*') })
  fc.assert(
    fc.property(piece, piece, (before, after) => {
      const text = `${before}<<old>>${after}`
      const edited = replaced(text, '<<old>>', '<<new>>')
      expect(edited).toBe(`${before}<<new>>${after}`)
      expect(replaced(edited, '<<new>>', '<<old>>')).toBe(text)
    }),
    { seed: 20_261_129 },
  )
})

test('lines inserted between lines that end in both signs, or in one, end as the line before them', () => {
  expect(inserted('a\r\nb\r\n', 1, 'x')).toBe('a\r\nx\r\nb\r\n')
  expect(inserted('a\r\nb\r\n', 2, 'x')).toBe('a\r\nb\r\nx\r\n')
  expect(inserted('a\r\n\nb\n', 2, 'x')).toBe('a\r\n\nx\nb\n')
  expect(inserted('\n\r\nb\r\n', 2, 'x')).toBe('\n\r\nx\r\nb\r\n')
})
