import { describe, expect, test } from 'vitest'
import { mergeAttributes, parseDocument } from './parse-document.ts'

const parse = (path: string, text: string) => parseDocument({ source: 'memory', path }, { text })

describe('parseDocument', () => {
  test('title is front matter or first heading, never the path', () => {
    expect(parse('a.md', '---\ntitle: Plan\n---\n# Other').title).toBe('Plan')
    expect(parse('a.md', 'intro\n\n## **First** 🚀\n# Second').title).toBe('First')
    expect(parse('plan.md', 'no heading')).not.toHaveProperty('title')
    expect(parse('a.md', '# 18:30').title).toBe('18:30')
  })

  test('B26: title and headings do not depend on line ends', () => {
    const text = '---\r\ntitle: Plan\r\n---\r\n# Goals\r\nship it\r\n'
    for (const variant of [text, text.replaceAll('\r\n', '\n'), text.replace('\r\n', '\n')]) {
      const { title, outline } = parse('a.md', variant)
      expect(title).toBe('Plan')
      expect(outline.headings).toEqual([{ line: 3, level: 1, text: 'Goals' }])
      expect(outline.starts).toHaveLength(5)
    }
  })

  test('front matter is cited but not indexed', () => {
    const text = '---\ntitle: x\n---\nbody'
    expect(parse('a.md', text)).toMatchObject({ bodyStart: 17, unindexed: [{ start: 0, end: 17 }] })
  })

  test('B28: broken front matter stays text, with a problem', () => {
    const parsed = parse('a.md', '---\ndescription: rule (A/B): read x.md\n---\nbody')
    expect(parsed).toMatchObject({ bodyStart: 0, unindexed: [], problem: expect.stringContaining('indexed as text') })
    expect(parsed.outline.headings).toEqual([])
  })

  test('a summary equal to the body counts once', () => {
    expect(parse('a.md', '---\nsummary: We use pnpm.\n---\n# Tools\n\nWe use\npnpm.\n')).not.toHaveProperty('summary')
    expect(parse('a.md', '---\nsummary: Tools\n---\nWe use pnpm.\n').summary).toBe('Tools')
  })

  test('B14: undated notes and notes kept by hand never decay, dated ones do', () => {
    const dated = '# 2026-02-14\n\nnews'
    const evergreen = (path: string, text = 'x') => parse(path, text).isEvergreen
    expect(['memory/2026-02-14.md', 'memory\\archive\\2026-02-14.md'].map((path) => evergreen(path))).toEqual([false, false])
    for (const path of ['memory/projects.md', 'MEMORY.md', 'bank/2026-02-14.md', 'SOUL.md', 'USER.md'])
      expect(evergreen(path)).toBe(true)
    expect([evergreen('MEMORY.md', dated), evergreen('log.md', dated), evergreen('sub/MEMORY.md', dated)]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('a note dated by its headings has no day of its own', () => {
    const parsed = parse('log.md', 'intro\n# 2026-02-14\nx')
    expect(parsed.dateReason).toBe('heading')
    expect(parsed).not.toHaveProperty('from')
  })

  test('a source that knows the day overrides the rules', () => {
    const parsed = parseDocument(
      { source: 'sessions', path: '2026-01-01.jsonl' },
      { text: 'x', attributes: { from: '2026-02-14', time: '09:00' } },
    )
    expect(parsed.attributes).toEqual({ from: '2026-02-14', time: '09:00' })
    expect(parsed.isEvergreen).toBe(false)
    expect(parsed).not.toHaveProperty('dateReason')
  })

  test.each([
    ['notes/archive/x.md', '', ['archived']],
    ['_archive/2025/x.md', '', ['archived']],
    ['08-Backups\\x.md', '', ['archived']],
    ['backup-2026-02-14/x.md', '', ['archived']],
    ['memory/dreaming/x.md', '', ['derived']],
    ['archive.md', '', []],
    ['architecture/x.md', '', []],
    ['x.md', '---\nstatus: Superseded\n---\n', ['superseded']],
    ['x.md', '---\nstatus: obsolete\n---\n', ['superseded']],
    ['x.md', '---\nstatus: archived\n---\n', ['archived']],
    ['x.md', '---\nstatus: draft\n---\n', []],
  ])('marks of %s %j', (path, text, marks) => {
    expect(parse(path, text).marks).toEqual(marks)
  })

  test('attributes inside win, lists are joined', () => {
    expect(
      mergeAttributes(
        { from: '2026-01-01', to: '2026-01-31', time: '10:00', tags: ['a'], kind: 'log' },
        { from: '2026-01-02', tags: ['b', 'a'], kind: 'world' },
      ),
    ).toEqual({ from: '2026-01-02', tags: ['a', 'b'], kind: 'world' })
  })
})
