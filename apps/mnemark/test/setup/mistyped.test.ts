import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'

// Typing errors and their answers.

describe('P63: help', () => {
  test('mnemark alone, help and --help show the overview; help search is the page of search', () => {
    const box = new Sandbox()
    const { code, stdout, stderr } = box.run(['--help'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('Commands:')
    expect(box.run([])).toEqual({ code, stdout, stderr })
    expect(box.run(['help'])).toEqual({ code, stdout, stderr })
    expect(box.run(['help', 'search'])).toEqual(box.run(['search', '--help']))
    expect(box.json(['help', 'get']).document.help).toContain('mnemark get')
  })

  test('a command is missing where only options were given, and a page where there is no command', () => {
    const box = new Sandbox()
    expect(box.json(['--quiet'])).toMatchObject({ code: 2, document: { error: { code: 'no-command' } } })
    expect(box.json(['help', 'serch'])).toMatchObject({
      code: 2,
      document: { error: { code: 'unknown-command', message: 'unknown command "serch"; did you mean search?' } },
    })
  })

  test('a mistyped command and an unknown option are bad use, with what was meant', () => {
    const box = new Sandbox({ 'a.md': 'lamp\n' })
    expect(box.run(['serch', 'lamp'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'mnemark: unknown command "serch"; did you mean search?\nmnemark --help lists the commands. To search for it: mnemark search "serch"\n',
    })
    for (const options of [['-n', '3'], ['--limit', '3'], ['--limit=3']])
      expect(box.run(['search', 'lamp', ...options])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('did you mean -k?'),
      })
  })
})

describe('P63: paths', () => {
  const open = (): Sandbox =>
    new Sandbox({
      'MEMORY.md': 'memory\n',
      'memory/people/anna-schmidt.md': 'Anna\n',
      'memory/2026-03-16.md': 'log\n',
      'memory/اجتماع.md': 'اجتماع\n',
      'memory/会议.md': '会议\n',
    })

  test.each([
    ['Anna', 'memory/people/anna-schmidt.md'],
    ['anna-schmit.md', 'memory/people/anna-schmidt.md'],
    ['memry/2026-03-16.md', 'memory/2026-03-16.md'],
    ['memory/2026-03-61.md', 'memory/2026-03-16.md'],
    ['2026-03-16', 'memory/2026-03-16.md'],
    ['2026-03-16#L3-L4', 'memory/2026-03-16.md'],
    ['إجتماع', 'memory/اجتماع.md'],
    ['会议', 'memory/会议.md'],
  ])('get %s names %s', (asked, path) => {
    const box = open()
    const { code, stdout, stderr } = box.run(['get', asked])
    expect([1, 2]).toContain(code)
    expect(stdout).toBe('')
    expect(stderr.replace(/[\u2066-\u2069]/g, '')).toContain(`Did you mean ${path}`)
  })

  test('a program is given them as a list; where nothing is near there is none', () => {
    const box = open()
    expect(box.json(['get', 'memory/2026-03-61.md'])).toMatchObject({
      code: 1,
      document: { status: 'not-found', near: ['memory/2026-03-16.md'] },
    })
    expect(box.json(['get', 'memory/zzzzzzzzzzzz.md']).document).not.toHaveProperty('near')
    expect(box.json(['edit', 'memory/2026-03-61.md', '--replace', 'a', '--with', 'b']).document.near).toEqual([
      'memory/2026-03-16.md',
    ])
    expect(box.json(['forget', 'memory/2026-03-61.md']).document.near).toEqual(['memory/2026-03-16.md'])
  })

  test.each([
    [['export', '--out', '/nope/x'], 'cannot write /nope/x: /nope is not a folder'],
    [['export', '--out', '.'], 'it is a folder'],
    [['export', '--out', 'MEMORY.md/x'], 'MEMORY.md is not a folder'],
    [['backup', '/nope/x'], 'cannot write /nope/x: /nope is not a folder'],
  ])('%j is refused before anything is done', (argv, message) => {
    const box = open()
    const { code, document } = box.json(argv)
    expect([code, document.error]).toMatchObject([3, { code: 'cannot-write', message: expect.stringContaining(message) }])
    expect(existsSync(join(box.workspace, '.mnemark'))).toBe(false)
  })
})

describe('P63: a configuration', () => {
  const search = (body: object): string => JSON.stringify({ agents: { defaults: { memorySearch: body } } })

  test.each([
    [
      'values of the wrong kind and an unknown key',
      { chunking: { tokens: 'many', overlap: -3 }, query: { mxResults: 3 } },
      ['chunking.tokens is "many"', 'chunking.overlap is -3', 'query.mxResults is not a known key'],
    ],
    [
      'an unknown provider, values that do not fit together, an unknown key',
      { provider: 'opnai', chunking: { tokens: 5, overlap: 9 }, query: { mxResults: 3 } },
      ['provider is "opnai"', 'chunking.overlap is 9', 'query.mxResults is not a known key'],
    ],
    [
      'variables that are not set',
      { extraPaths: ['${NOPE_A}', '${NOPE_B}'], store: { path: '${NOPE_C}' } },
      ['variable NOPE_A', 'variable NOPE_B', 'variable NOPE_C'],
    ],
    [
      'two weights of nothing, and a store of another version',
      { query: { hybrid: { vectorWeight: 0, textWeight: 0 } }, store: { kind: 'postgres' } },
      ['are both 0', 'store.kind is "postgres"'],
    ],
  ])('all faults are told at once: %s', (_, body, faults) => {
    const box = new Sandbox({ 'a.md': 'lamp\n', 'other.json5': search(body) })
    for (const argv of [['status'], ['config', 'check']]) {
      const { stdout, stderr } = box.run([...argv, '--config', 'other.json5'])
      for (const fault of [`${faults.length} faults`, ...faults]) expect(stdout + stderr).toContain(fault)
    }
  })

  test('one fault stands in the line', () => {
    const box = new Sandbox({ 'a.md': 'lamp\n', 'other.json5': search({ chunking: { tokens: 'many' } }) })
    const { code, stderr } = box.run(['status', '--config', 'other.json5'])
    expect([code, stderr]).toEqual([4, expect.stringMatching(/other\.json5: agents\.\S+chunking\.tokens is "many"; allowed: /)])
  })
})
