import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'

const NOTES = {
  'MEMORY.md': '# What lasts\n\nPlain. #home\n',
  'memory/2026-03-14.md': '# Saturday\n\nRent paid. #Home #project/alpha\n',
  'memory/2026-03-15.md': 'Boat varnished. #boat\n',
  'memory/مشاريع/خطة.md': '---\ndate: 2026-02-01\n---\nنص #بيت\n',
}

/** The paths that a list answers, in order. */
function listed(box: Sandbox, ...options: readonly string[]): readonly string[] {
  const { document } = box.json(['recent', ...options])
  // Safe: the document of a list.
  return (document.notes as unknown as readonly { path: string }[]).map(({ path }) => path)
}

describe('P64: recent', () => {
  test('lists the newest first, by tag, folder and days as people write them', () => {
    const box = new Sandbox(NOTES)
    expect(listed(box)).toEqual(['memory/2026-03-15.md', 'memory/2026-03-14.md', 'memory/مشاريع/خطة.md', 'MEMORY.md'])
    expect(listed(box, '-n', '2')).toEqual(['memory/2026-03-15.md', 'memory/2026-03-14.md'])
    expect(listed(box, '--order', 'path', '-k', '1')).toEqual(['MEMORY.md'])
    expect(listed(box, '--since', '2026-03')).toEqual(['memory/2026-03-15.md', 'memory/2026-03-14.md'])
    expect(listed(box, '--until', '2026-02', '--path', 'memory/')).toEqual(['memory/مشاريع/خطة.md'])
    expect(listed(box, '--tag', 'project')).toEqual(['memory/2026-03-14.md'])
    expect(listed(box, '--tag', '', '--path', '', '--since', '')).toHaveLength(4)
  })

  test('goes on where the page before ended, and says how many there are', () => {
    const box = new Sandbox(NOTES)
    const { document } = box.json(['recent', '-k', '3'])
    expect(document).toMatchObject({ total: 4, newest: '2026-03-15', stale: false, degraded: [] })
    const next = String(document.next)
    expect(listed(box, '-k', '3', '--after', next)).toEqual(['MEMORY.md'])
    const { stdout, stderr } = box.run(['recent', '-k', '1', '--tag', 'Project/Alpha'])
    expect([stdout, stderr]).toEqual([
      '2026-03-14  memory/2026-03-14.md  Saturday  #Home #project/alpha\n',
      'mnemark: 1 of 1 note, the newest of 2026-03-14\n',
    ])
  })

  test('nothing that passes is said, with what is near; a day or a limit that is none is bad use', () => {
    const box = new Sandbox(NOTES)
    const none = box.run(['recent', '--tag', 'boats'])
    expect([none.code, none.stdout]).toEqual([1, ''])
    expect(none.stderr).toContain('"boat"')
    for (const wrong of [
      ['--since', 'someday'],
      ['-n', '0'],
      ['--order', 'age'],
      ['--after', 'page2'],
    ])
      expect(box.run(['recent', ...wrong]).code).toBe(2)
  })

  test('a group is not told of long-term notes, and a forgotten note is not listed', () => {
    const box = new Sandbox({ ...NOTES, 'mnemark.json5': '{ memory: { scope: { default: "allow" } } }' })
    const all = { total: 4 }
    expect(box.json(['recent']).document).toMatchObject(all)
    const group = ['--chat-type', 'group']
    expect(box.json(['recent', ...group]).document).toMatchObject({ total: 3 })
    expect(listed(box, ...group)).not.toContain('MEMORY.md')
    expect(JSON.stringify(box.json(['tags', ...group]).document)).toContain('"tag":"Home","notes":1')
    expect(box.run(['forget', 'memory/2026-03-14.md']).code).toBe(0)
    expect(listed(box)).toEqual(['memory/2026-03-15.md', 'memory/مشاريع/خطة.md', 'MEMORY.md'])
  })
})

test('P64: tags with counts and days, in words and as one document', () => {
  const box = new Sandbox(NOTES)
  expect(box.run(['tags']).stdout).toBe(
    [
      '2  2026-03-14  #Home',
      '1  2026-03-15  #boat',
      '1  2026-03-14  #project',
      '1  2026-03-14  #project/alpha',
      '1  2026-02-01  \u2068#بيت\u2069',
      '',
    ].join('\n'),
  )
  expect(box.json(['tags', '--since', '2026-03-15'])).toEqual({
    code: 0,
    document: {
      tags: [{ tag: 'boat', notes: 1, newest: '2026-03-15' }],
      total: 1,
      newest: '2026-03-15',
      backend: 'builtin',
      degraded: [],
      stale: false,
    },
  })
  expect(new Sandbox({ 'MEMORY.md': 'plain\n' }).run(['tags']).code).toBe(1)
})

describe('P64: edit --insert', () => {
  test('puts lines after a line, 0 being the beginning, in the line ends of the note', () => {
    const box = new Sandbox({ 'MEMORY.md': 'one\r\ntwo\r\n' })
    expect(box.run(['edit', 'MEMORY.md', '--insert', 'half', '--after', '1']).stdout).toBe('edited MEMORY.md#L2-L2\n')
    expect(box.run(['edit', 'MEMORY.md', '--insert', 'zero', '--after', '0']).code).toBe(0)
    expect(readFileSync(join(box.workspace, 'MEMORY.md'), 'utf8')).toBe('zero\r\none\r\nhalf\r\ntwo\r\n')
  })

  test('is refused past the end, beside a replacement, without a line, and where the note is another one by now', () => {
    const box = new Sandbox({ 'MEMORY.md': 'one\n' })
    const insert = ['edit', 'MEMORY.md', '--insert', 'x']
    expect(box.json([...insert, '--after', '9'])).toMatchObject({ code: 1, document: { error: { code: 'conflict' } } })
    expect(box.json([...insert, '--after', '1', '--expect', '0'.repeat(64)])).toMatchObject({ code: 1 })
    for (const wrong of [[...insert], [...insert, '--after', '-1'], [...insert, '--after', '1', '--replace', 'one']])
      expect(box.run(wrong).code).toBe(2)
    expect(readFileSync(join(box.workspace, 'MEMORY.md'), 'utf8')).toBe('one\n')
  })
})
