import { expect, test } from 'vitest'
import { openNotes, pathsFor, search } from '../../test/open-notes.ts'

test('B01: identifiers with hyphens, dates and underscores find their one note', async () => {
  const { memory } = await openNotes({
    'ticket.md': 'Ticket OC-41252 closed',
    'invoice.md': 'open invoice 2026-03-14',
    'draft.md': 'RFC-0011 draft',
    'code.md': 'call apply_secrets()',
  })
  expect(await pathsFor(memory, 'OC-41252')).toEqual(['ticket.md'])
  expect(await pathsFor(memory, '2026-03-14')).toEqual(['invoice.md'])
  expect(await pathsFor(memory, '"RFC-0011"')).toEqual(['draft.md'])
  expect(await pathsFor(memory, 'RFC-0011')).toEqual(['draft.md'])
  expect(await pathsFor(memory, 'apply_secrets')).toEqual(['code.md'])
})

test('B03: words are joined with OR, more content words rank higher, and stop words alone do not fail', async () => {
  const { memory } = await openNotes({
    'a.md': 'meeting moved to Friday',
    'b.md': 'budget approved by finance',
    'c.md': 'lunch menu',
    'd.md': 'the budget for the meeting was reviewed and decided',
  })
  const paths = await pathsFor(memory, 'what did we decide about the meeting budget review?')
  expect(paths[0]).toBe('d.md')
  expect(paths.slice(1).sort()).toEqual(['a.md', 'b.md'])
  expect((await search(memory, 'what did we')).mode).toBe('keywords')
})

test('B04: words inside unspaced text are found', async () => {
  const { memory } = await openNotes({
    'zh.md': '今天玩成语接龙游戏',
    'ja.md': '今日は成語しりとりをした',
    'ko.md': '데이터베이스를 옮겼다',
    'plugin.md': '飞书的插件如何配置',
  })
  for (const [query, path] of [
    ['成语接龙', 'zh.md'],
    ['しりとり', 'ja.md'],
    ['데이터베이스', 'ko.md'],
    ['飞书插件配置', 'plugin.md'],
  ] as const) {
    const [hit] = (await search(memory, query)).hits
    expect(hit?.path).toBe(path)
    expect(hit?.score).toBeGreaterThan(0)
  }
})
