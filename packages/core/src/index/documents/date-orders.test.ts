import type { DateOrder } from '../../dates/forms/date-matcher.ts'
import { expect, test } from 'vitest'
import { createInMemoryStore, InMemoryDisk } from '@mnemark/testkit'
import { NoteSource } from '../../../test/note-source.ts'
import { openMemory, openNotes } from '../../../test/open-notes.ts'

/** Paths with the first day of their chunks; null where they have none. */
async function daysOf(notes: Readonly<Record<string, string>>, dateOrder?: DateOrder): Promise<Record<string, string | null>> {
  const disk = new InMemoryDisk()
  const memory = await openMemory([new NoteSource(notes)], {
    store: createInMemoryStore({ disk }),
    settings: dateOrder === undefined ? {} : { dateOrder },
  })
  await memory.sync()
  return daysOn(disk)
}

function daysOn(disk: InMemoryDisk): Record<string, string | null> {
  const chunks = [...disk.state.chunks.values()].map(({ document, attributes }) => [document.path, attributes.from ?? null])
  return Object.fromEntries(chunks)
}

test('P41: a name that proves an order gives it to its folder, in names, front matter and headings, and to no other', async () => {
  expect(
    await daysOf({
      'log/25-12-2026.md': 'x',
      'log/03-04-2026.md': 'x',
      'log/٠٣-٠٤-٢٠٢٦.md': 'x',
      'log/front.md': '---\ndate: 03/04/2026\n---\nx',
      'log/heading.md': '# 03/04/2026\n\nx',
      'log/deep/03-04-2026.md': 'x',
      'us/12-25-2026.md': 'x',
      'us/trip_03-04-2026.md': 'x',
      'other/03-04-2026.md': 'x',
      'both/25-12-2026.md': 'x',
      'both/12-25-2026.md': 'x',
      'both/03-04-2026.md': 'x',
      'dots/25.12.2026.md': 'x',
      'dots/03-04-2026.md': 'x',
    }),
  ).toEqual({
    'log/25-12-2026.md': '2026-12-25',
    'log/03-04-2026.md': '2026-04-03',
    'log/٠٣-٠٤-٢٠٢٦.md': '2026-04-03',
    'log/front.md': '2026-04-03',
    'log/heading.md': '2026-04-03',
    'log/deep/03-04-2026.md': null,
    'us/12-25-2026.md': '2026-12-25',
    'us/trip_03-04-2026.md': '2026-03-04',
    'other/03-04-2026.md': null,
    'both/25-12-2026.md': '2026-12-25',
    'both/12-25-2026.md': '2026-12-25',
    'both/03-04-2026.md': null,
    // A date with points proves nothing about hyphens.
    'dots/25.12.2026.md': '2026-12-25',
    'dots/03-04-2026.md': null,
  })
})

test('P41: the setting decides everywhere, whatever names prove', async () => {
  const notes = {
    'a/25-12-2026.md': 'x',
    'a/03-04-2026.md': 'x',
    'b/03-04-2026.md': 'x',
    'c.md': '---\ncreated: 3/4/2026\n---\nx',
  }
  expect(await daysOf(notes, 'mdy')).toEqual({
    'a/25-12-2026.md': '2026-12-25',
    'a/03-04-2026.md': '2026-03-04',
    'b/03-04-2026.md': '2026-03-04',
    'c.md': '2026-03-04',
  })
  await expect(openNotes({}, { dateOrder: 'ymd' as DateOrder })).rejects.toThrow('dateOrder: expected "dmy" or "mdy", got "ymd"')
})

test('P41: where a name comes that proves or contradicts, the notes of its folder alone are made anew, once', async () => {
  const source = new NoteSource({ 'log/03-04-2026.md': 'lamp', 'log/plan.md': 'lamp', 'other/a.md': 'lamp' })
  const disk = new InMemoryDisk()
  const memory = await openMemory([source], { store: createInMemoryStore({ disk }) })
  await memory.sync()
  expect(daysOn(disk)['log/03-04-2026.md']).toBeNull()
  source.write('log/25-12-2026.md', 'lamp')
  expect(await memory.sync()).toMatchObject({ indexed: 3, unchanged: 1 })
  expect(daysOn(disk)['log/03-04-2026.md']).toBe('2026-04-03')
  expect(await memory.sync()).toMatchObject({ indexed: 0, unchanged: 4 })
  // A look at one path keeps the orders of the last full look.
  source.write('log/03-04-2026.md', 'lamp and marble')
  await memory.sync({ paths: [{ source: 'memory', path: 'log/03-04-2026.md' }] })
  expect(daysOn(disk)['log/03-04-2026.md']).toBe('2026-04-03')
  expect(await memory.sync()).toMatchObject({ indexed: 0, unchanged: 4 })
  source.write('log/12-26-2026.md', 'lamp')
  expect(await memory.sync()).toMatchObject({ indexed: 4, unchanged: 1 })
  expect(daysOn(disk)['log/03-04-2026.md']).toBeNull()
  expect((await memory.status()).isDirty).toBe(false)
})
