import { expect, test } from 'vitest'
import { NoteMaker } from './note-maker.ts'
import { SCRIPTS } from './word-model.ts'

test.each(SCRIPTS)('notes in %s can be made again one by one, and differ', (script) => {
  const maker = new NoteMaker(script, 1)
  const notes = Array.from({ length: 30 }, (_, number) => maker.note(number))
  expect(new NoteMaker(script, 1).note(17)).toEqual(notes[17])
  expect(new NoteMaker(script, 2).note(17).text).not.toBe(notes[17]?.text)
  expect(new Set(notes.map(({ path }) => path)).size).toBe(30)
  expect(new Set(notes.map(({ text }) => text)).size).toBe(30)
  expect(maker.questions(40, 30).every((question) => question.length > 3)).toBe(true)
})

test('the vocabulary keeps growing with the text', () => {
  const maker = new NoteMaker('en', 1)
  const seen = new Set<string>()
  const sizes = Array.from({ length: 200 }, (_, number) => {
    for (const word of maker
      .note(number)
      .text.toLowerCase()
      .match(/\p{L}+/gu) ?? [])
      seen.add(word)
    return seen.size
  })
  expect(sizes[199]).toBeGreaterThan(1.3 * (sizes[99] ?? 0))
  expect(sizes[99]).toBeGreaterThan(5_000)
})

test('paths stay apart over ten thousands of notes', () => {
  const maker = new NoteMaker('zh', 3)
  const numbers = [0, 1, 2, 3_600, 3_601, 7_201, 100_001]
  expect(new Set(numbers.map((number) => maker.note(number).path)).size).toBe(numbers.length)
})
