import { expect, test } from 'vitest'
import { openNotes, pathsFor } from '../../test/open-notes.ts'

test.each([
  ['1250', 'paid 1,250.50 for the boiler'],
  ['1250', 'دفعنا ١٬٢٥٠ دينارا'],
  ['3000000', 'budget of 3,000,000 a year'],
  ['2026-05-11', 'נפגשים ב-2026-05-11 בבוקר'],
  ['צה"ל', 'שירת בצה"ל וגם אביו בצה״ל, צה״ל'],
  ['コンピューター', '新しいコンピュータを買った'],
  ['コンピュータ', '新しいコンピューターを買った'],
  ['decided', 'they decide tomorrow'],
  ['run', 'running every morning'],
])('%s is found in: %s', async (query, text) => {
  const { memory } = await openNotes({ 'a.md': text, 'b.md': 'something else 42 של ました' })
  expect((await pathsFor(memory, query))[0]).toBe('a.md')
})

test('a phrase may stand in a title or a heading', async () => {
  const { memory } = await openNotes({
    'stub.md': '# Boat House',
    'title.md': '---\ntitle: Boat House\n---\nneeds paint',
    'other.md': 'a house and a boat',
  })
  expect((await pathsFor(memory, '"boat house"')).sort()).toEqual(['stub.md', 'title.md'])
})

test('the signs of C++ and C# are part of a phrase and of an exclusion', async () => {
  const { memory } = await openNotes({ 'cpp.md': 'learn C++ today', 'sharp.md': 'learn C# today', 'c.md': 'learn C today' })
  expect(await pathsFor(memory, '"C++"')).toEqual(['cpp.md'])
  expect((await pathsFor(memory, 'learn -"C++"')).sort()).toEqual(['c.md', 'sharp.md'])
})

test('a prefix finds words behind an article', async () => {
  const { memory } = await openNotes({ 'a.md': 'ذهبت إلى المكتبة', 'b.md': 'ذهبت إلى السوق' })
  expect(await pathsFor(memory, 'مكتب*')).toEqual(['a.md'])
})

test('operators are text in a question', async () => {
  const { memory } = await openNotes({ 'a.md': 'Vorname und Nachname stehen auf Seite 2', 'b.md': 'Seite 3' })
  expect((await pathsFor(memory, 'Wo stehen Vor- und -nachname?'))[0]).toBe('a.md')
})

test('a word longer than any is cut between letters, never inside one', async () => {
  const { memory } = await openNotes({ 'a.md': `${'a'.repeat(255)}𐐀𐐀b tail` })
  expect(await pathsFor(memory, 'tail')).toEqual(['a.md'])
})
