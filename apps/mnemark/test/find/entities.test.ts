import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'

const NOTES = {
  'bank/entities/Mara.md': '---\naliases: [مارا]\n---\n\n# Mara\n',
  'memory/2026-03-01.md':
    '# Day\nRain.\n\n## Retain\n- W @مارا: owns a boat\n- O @Mara: likes tea\n- W @Room-101: is locked\n- W @Room-102: is open\n- W @Tigran: pays the rent\n',
  'memory/2026-03-05.md': '# Day\nRain.\n\n## Retain\n- B @Mara @Tigrann: met in the harbour\n',
}

test('whom and what facts name, with counts, days and pages', () => {
  const { code, document } = new Sandbox(NOTES).json(['entities'])
  expect([code, document]).toEqual([
    0,
    {
      entities: [
        {
          name: 'Mara',
          slug: 'Mara',
          aliases: ['مارا'],
          facts: 3,
          opinions: 1,
          first: '2026-03-01',
          last: '2026-03-05',
          page: 'bank/entities/Mara.md',
        },
        ...['Room-101', 'Room-102', 'Tigran', 'Tigrann'].map((name) => {
          const day = name === 'Tigrann' ? '2026-03-05' : '2026-03-01'
          return { name, slug: name, aliases: [], facts: 1, opinions: 0, first: day, last: day }
        }),
      ],
    },
  ])
})

test('one of them by any of its names, its facts newest first, and names that may be the same', () => {
  const box = new Sandbox(NOTES)
  expect(box.json(['entities', 'مارا'])).toMatchObject({
    code: 0,
    document: {
      entities: [{ name: 'Mara' }],
      facts: [
        { content: 'met in the harbour', source: 'memory/2026-03-05.md#L5-L5', timestamp: '2026-03-05' },
        { content: 'owns a boat' },
        { content: 'likes tea', kind: 'opinion' },
      ],
      suggestions: [],
    },
  })
  expect(box.json(['entities', 'Tigran'])).toMatchObject({ document: { suggestions: [{ name: 'Tigrann', why: 'spelling' }] } })
  expect(box.json(['entities', 'Room-101'])).toMatchObject({ document: { suggestions: [] } })
  expect(box.run(['entities', 'Mara']).stdout).toMatch(
    /^ {3}3 {2}Mara \(\u2068مارا\u2069\) {2}2026-03-01 to 2026-03-05 {2}bank\/entities\/Mara\.md\n/u,
  )
})

test('an unknown name: exit 1 with near ones, never across a digit', () => {
  const box = new Sandbox(NOTES)
  expect(box.json(['entities', 'Marra'])).toMatchObject({ code: 1, document: { entities: [], near: ['Mara'] } })
  expect(box.json(['entities', 'Room-103'])).toMatchObject({ code: 1, document: { near: [] } })
  expect(new Sandbox({ 'MEMORY.md': '# Memory\n' }).run(['entities'])).toMatchObject({ code: 1 })
})
