import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

test('two names become one and two again: one edit of one page, no fact changes its id', () => {
  const box = new Sandbox(NOTES)
  const read = (path: string): string => readFileSync(join(box.workspace, path), 'utf8')
  const ids = (name: string): unknown =>
    (box.json(['entities', name]).document['facts'] as unknown as { factId: string }[]).map(({ factId }) => factId)
  const before = ids('Mara')
  const merged = box.json(['entities', '--merge', 'Tigran', 'Mara'])
  expect(merged).toMatchObject({
    code: 0,
    document: {
      status: 'merged',
      entity: { name: 'Mara', aliases: ['مارا', 'Tigran'], facts: 4, page: 'bank/entities/Mara.md' },
      changes: [{ path: 'bank/entities/Mara.md', diff: expect.stringContaining('-aliases: [مارا]\n+aliases: [مارا, Tigran]\n') }],
      done: { op: 'merge', winner: 'Mara', loser: 'Tigran', path: 'bank/entities/Mara.md' },
      conflict: null,
    },
  })
  expect(ids('Tigran')).toEqual(expect.arrayContaining(before as unknown[]))
  expect(box.json(['recall', 'who pays the rent', '--entity', 'مارا', '-k', '1'])).toMatchObject({
    document: { facts: [{ content: 'pays the rent' }] },
  })
  expect(box.json(['entities', '--merge', 'Mara', 'Tigran'])).toMatchObject({
    code: 0,
    document: { status: 'unchanged', changes: [] },
  })
  expect(box.json(['entities', '--unmerge', 'Mara', 'Tigran'])).toMatchObject({
    document: {
      status: 'parted',
      entity: { name: 'Mara', aliases: ['مارا'], facts: 3 },
      done: { op: 'unmerge', loser: 'Tigran' },
    },
  })
  expect(read('bank/entities/Mara.md')).toBe(NOTES['bank/entities/Mara.md'])
  expect(ids('Mara')).toEqual(before)
  const made = box.run(['entities', '--merge', 'Tigran', 'Tigrann'])
  expect([made.code, made.stdout]).toEqual([
    0,
    expect.stringMatching(/^merged +2 {2}Tigran \(.*Tigrann.*bank\/entities\/Tigran\.md/),
  ])
  expect(read('bank/entities/Tigran.md')).toBe('---\naliases:\n  - Tigrann\n---\n# Tigran\n')
})

test('what cannot be joined or parted is said, with the next step, and nothing is written', () => {
  const box = new Sandbox({ ...NOTES, 'bank/entities/Open.md': '---\ntitle: x\n' })
  const failure = (...argv: readonly string[]): unknown => {
    const { code, document } = box.json(['entities', ...argv])
    return [code, document['error']?.['code'], document['error']?.['next']]
  }
  expect(failure('--merge', 'Mara', 'Tigram')).toEqual([1, 'unknown-entity', expect.stringContaining('Near: "Tigran"')])
  expect(failure('--merge', 'Room-101', 'Room-102')).toEqual([2, 'differs', expect.stringContaining('--yes')])
  expect(failure('--merge', 'MARA', 'mara')).toEqual([2, 'same-name', expect.any(String)])
  expect(failure('--merge', 'Open', 'Tigran')).toEqual([2, 'unreadable-page', expect.any(String)])
  expect(failure('--merge', 'Mara')).toEqual([2, 'bad-use', expect.any(String)])
  expect(failure('--merge', '--unmerge', 'Mara', 'Tigran')).toEqual([2, 'bad-use', expect.any(String)])
  expect(failure('--merge', 'Mara', 'Tigran', '--chat-type', 'group')).toEqual([2, 'denied', expect.any(String)])
  expect(box.json(['entities', '--merge', 'Room-101', 'Room-102', '--yes'])).toMatchObject({ document: { status: 'merged' } })
})

test('a page keeps its mark of byte order, its line ends and every other byte; one that may not be written stays', () => {
  const page = '\uFEFF---\r\naliases:   # others\r\n  -  "M. Lind"\r\ntype: person\r\n---\r\nNo line end'
  const box = new Sandbox({ ...NOTES, 'bank/entities/Mara.md': page })
  const file = join(box.workspace, 'bank/entities/Mara.md')
  expect(box.json(['entities', '--merge', 'Tigran', 'M. Lind'])).toMatchObject({ document: { status: 'merged' } })
  expect(readFileSync(file, 'utf8')).toBe(page.replace('Lind"\r\n', 'Lind"\r\n  - Tigran\r\n'))
  expect(box.json(['entities', '--unmerge', 'Tigran', 'Mara'])).toMatchObject({ document: { status: 'parted' } })
  expect(readFileSync(file, 'utf8')).toBe(page)
  chmodSync(file, 0o444)
  expect(box.json(['entities', '--merge', 'Tigran', 'Mara'])).toMatchObject({ code: 2, document: { error: { code: 'refused' } } })
  expect(readFileSync(file, 'utf8')).toBe(page)
})

test('hostile names get a page below bank/entities/ and nothing else', () => {
  const box = new Sandbox({
    'MEMORY.md': '# Memory\n',
    'memory/2026-03-01.md': '# Day\nRain.\n\n## Retain\n- W @"..": a\n- W @"../../x": b\n- W @🚀: c\n- W @"#x": d\n',
  })
  for (const name of ['../../x', '🚀', '#x']) expect(box.json(['entities', '--merge', '..', name])).toMatchObject({ code: 0 })
  expect(box.json(['entities'])).toMatchObject({
    document: { entities: [{ name: '..', facts: 4, page: expect.stringMatching(/^bank\/entities\/entity-[0-9a-f]{6}\.md$/) }] },
  })
  expect(readdirSync(join(box.workspace, 'bank/entities'))).toHaveLength(1)
  for (const name of ['\u202eno', 'n'.repeat(1_000), '"', ''])
    expect(box.json(['entities', '--merge', '..', name])).toMatchObject({
      code: 1,
      document: { error: { code: 'unknown-entity' } },
    })
})
