import { expect, test } from 'vitest'
import { NoteSource } from '../../test/note-source.ts'
import { hitsFor, openMemory, openNotes, pathsFor } from '../../test/open-notes.ts'

const CONFLICT = 'Plan (conflicted copy 2026-03-01).md'

test('P44: a copy stands below its original, whichever holds more of the words', async () => {
  for (const copy of [CONFLICT, 'Plan (1).md', 'Plan 2.md', 'Plan.sync-conflict-20260301-101112-ABCDEFG.md']) {
    const { memory } = await openNotes({
      'Plan.md': 'The rent is 900 euro.',
      [copy]: '# Rent rent\nThe rent: rent of 1050 euro, rent.',
      'other.md': 'The rent of a car is high.',
    })
    const hits = await hitsFor(memory, 'rent')
    const paths = hits.map(({ path }) => path)
    expect(paths).toContain(copy)
    expect(paths.indexOf(copy), `${copy}`).toBeGreaterThan(paths.indexOf('Plan.md'))
    expect(hits.find(({ path }) => path === copy)?.attributes?.marks).toEqual(['copy'])
  }
})

test('P44: what only the copy says is found, and the copy is found by its own name', async () => {
  const { memory } = await openNotes({ 'Plan.md': 'The rent is 900 euro.', [CONFLICT]: 'The deposit is 1800 euro.' })
  expect(await pathsFor(memory, 'deposit')).toEqual([CONFLICT])
  expect((await pathsFor(memory, 'Plan (conflicted copy 2026-03-01)'))[0]).toBe(CONFLICT)
})

test('P44: an equal copy is listed under its original', async () => {
  const { memory } = await openNotes({ 'a (1).md': 'The lamp is velvet.', 'a.md': 'The lamp is velvet.' })
  expect(await hitsFor(memory, 'velvet')).toMatchObject([{ path: 'a.md', copies: ['a (1).md#L1'] }])
})

test('P44: a copy without its original is a note like any other, and its conflict still gives it no day', async () => {
  const { memory } = await openNotes({ [CONFLICT]: 'The rent is 900 euro.', 'Chapter 2.md': 'The rent is due.' })
  for (const { attributes } of await hitsFor(memory, 'rent')) {
    expect(attributes?.marks).toBeUndefined()
    expect(attributes?.from).toBeUndefined()
  }
  const { memory: logs } = await openNotes({ '2026-02-01 (conflicted copy 2026-03-01).md': 'The rent is 900 euro.' })
  expect(await hitsFor(logs, 'rent')).toMatchObject([{ attributes: { from: '2026-02-01' } }])
})

test('P44: the mark follows when the original comes or goes, and nothing is read again otherwise', async () => {
  const source = new NoteSource({ [CONFLICT]: 'The rent is 900 euro.' })
  const memory = await openMemory([source])
  const marks = async () => (await hitsFor(memory, 'rent')).find(({ path }) => path === CONFLICT)?.attributes?.marks
  expect(await marks()).toBeUndefined()
  source.write('Plan.md', 'The rent comes due on Monday.')
  expect(await marks()).toEqual(['copy'])
  source.reads.length = 0
  expect(await memory.sync()).toMatchObject({ indexed: 0, unchanged: 2 })
  expect((await memory.status()).isDirty).toBe(false)
  source.write(CONFLICT, 'The rent of the flat is low.')
  await memory.sync({ paths: [{ source: 'memory', path: CONFLICT }] })
  expect(source.reads).toEqual([CONFLICT])
  expect(await memory.sync()).toMatchObject({ indexed: 0 })
  source.notes.delete('Plan.md')
  expect((await memory.status()).isDirty).toBe(true)
  expect(await marks()).toBeUndefined()
})
