import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LAUNCHER, Sandbox } from '../harness/launcher.ts'

describe('init', () => {
  test('makes a workspace and changes nothing that exists', () => {
    const box = new Sandbox()
    const made = box.json(['init', 'new'])
    expect(made).toEqual({
      code: 0,
      document: {
        workspace: join(box.workspace, 'new'),
        created: ['MEMORY.md', 'memory/', 'bank/', 'mnemark.json5'],
        existing: [],
      },
    })
    expect(statSync(join(box.workspace, 'new/mnemark.json5')).mode & 0o777).toBe(0o600)
    box.write('new/MEMORY.md', 'mine')
    const again = box.json(['init', 'new'])
    expect(again.document.created).toEqual([])
    expect(readFileSync(join(box.workspace, 'new/MEMORY.md'), 'utf8')).toBe('mine')
    // The configuration it writes is a valid one.
    expect(box.run(['get', 'MEMORY.md', '--workspace', 'new'])).toEqual({ code: 0, stdout: 'mine\n', stderr: '' })
  })

  test('says when notes of a plain folder would no longer be searched, and keeps memory.md as the curated file', () => {
    const box = new Sandbox({ 'a.md': 'a' })
    expect(box.run(['init']).stderr).toContain('no longer searched')
    const other = new Sandbox({ 'memory.md': 'a' })
    expect(other.json(['init']).document.existing).toEqual(['memory.md'])
    expect(existsSync(join(other.workspace, 'MEMORY.md'))).toBe(false)
    expect(box.run(['init', 'a.md']).code).toBe(2)
  })
})

describe('get', () => {
  test('reads lines by path, by options and by citation', () => {
    const box = new Sandbox({ 'MEMORY.md': 'one\ntwo\nthree\n' })
    expect(box.json(['get', 'MEMORY.md', '--from', '2', '--lines', '1'])).toEqual({
      code: 0,
      document: { path: 'MEMORY.md', status: 'ok', text: 'two', startLine: 2, endLine: 2, nextFrom: 3 },
    })
    expect(box.run(['get', 'MEMORY.md#L2-L3', '--quiet'])).toEqual({ code: 0, stdout: 'two\nthree\n', stderr: '' })
  })

  test('B87: missing, empty and past the end are told apart, and a refused path is bad use', () => {
    const box = new Sandbox({ 'MEMORY.md': 'one\n', 'memory/empty.md': '' })
    expect(box.json(['get', 'memory/2026-03-16.md'])).toEqual({
      code: 1,
      document: { path: 'memory/2026-03-16.md', status: 'not-found', text: '', startLine: 0, endLine: 0 },
    })
    expect(box.json(['get', 'memory/empty.md'])).toMatchObject({ code: 0, document: { status: 'empty', text: '' } })
    expect(box.json(['get', 'MEMORY.md', '--from', '50'])).toMatchObject({ code: 0, document: { status: 'ok', text: '' } })
    for (const path of ['../secret.md', '/etc/passwd', 'memory/../../x.md']) {
      const { code, document } = box.json(['get', path])
      expect([code, document.error?.code, document.error?.next]).toEqual([2, 'refused', expect.any(String)])
      expect(JSON.stringify(document)).not.toContain(box.root)
    }
  })
})

describe('append', () => {
  test('writes to the day of the configured zone, to MEMORY.md, and says where; the same text is not doubled', () => {
    const box = new Sandbox({
      'MEMORY.md': '# Memory\n',
      'memory/a.md': '',
      'mnemark.json5': '{ agents: { defaults: { userTimezone: "Pacific/Kiritimati" } } }',
    })
    const day = new Intl.DateTimeFormat('sv', { timeZone: 'Pacific/Kiritimati' }).format()
    expect(box.json(['append', 'VLAN', '10', 'is for guests'])).toMatchObject({
      code: 0,
      document: { path: `memory/${day}.md`, status: 'appended', startLine: expect.any(Number), endLine: expect.any(Number) },
    })
    expect(readFileSync(join(box.workspace, `memory/${day}.md`), 'utf8')).toContain('VLAN 10 is for guests\n')
    expect(box.json(['append', 'VLAN 10 is for guests']).document.status).toBe('duplicate')
    const { document } = box.json(['append', '--to', 'memory', '--', '- يفضّل الشاي'])
    const cited = box.run(['get', `MEMORY.md#L${String(document.startLine)}-L${String(document.endLine)}`])
    expect(cited.stdout).toBe('- يفضّل الشاي\n')
  })

  test('refuses blank text, escaped line breaks and places outside with exit code 2', () => {
    const box = new Sandbox({ 'MEMORY.md': '' })
    for (const argv of [[' '], ['a\\nb\\nc'], ['x', '--to', '../out.md'], ['x', '--to', '/tmp/out.md'], []]) {
      expect(box.run(['append', ...argv]).code).toBe(2)
    }
    expect(readFileSync(join(box.workspace, 'MEMORY.md'), 'utf8')).toBe('')
  })
})

describe('the launcher', () => {
  test('runs from any folder, through links, and under another Node, with the arguments as they are', () => {
    const box = new Sandbox({ 'MEMORY.md': 'found\n' })
    const link = join(box.root, 'link')
    symlinkSync(LAUNCHER, join(box.root, 'first'))
    symlinkSync('first', link)
    const argv = ['get', '--workspace', box.workspace, 'MEMORY.md']
    const env = { ...process.env, HOME: box.home }
    expect(execFileSync(link, argv, { cwd: '/', env, encoding: 'utf8' })).toBe('found\n')
    expect(execFileSync(process.execPath, [LAUNCHER, ...argv], { cwd: '/', env, encoding: 'utf8' })).toBe('found\n')
    expect(execFileSync('sh', [LAUNCHER, 'get', '--workspace', box.workspace, 'MEMORY.md'], { env, encoding: 'utf8' })).toBe(
      'found\n',
    )
  })
})

describe('a command line that cannot be used', () => {
  test('is one error document under --json, words otherwise, and never a stack', () => {
    const box = new Sandbox({
      'MEMORY.md': 'x\n',
      'mnemark.json5': '{ agents: { defaults: { memorySearch: { chunking: { tokens: 0 } } } } }',
    })
    const cases: readonly (readonly [number, readonly string[]])[] = [
      [2, []],
      [2, ['serach', 'x']],
      [2, ['search', 'x', '-k', '2.5']],
      [2, ['get', 'a.md', 'b.md']],
      [2, ['get', 'MEMORY.md', '--workspace', 'missing']],
      [4, ['get', 'MEMORY.md']],
    ]
    for (const [expected, argv] of cases) {
      const { code, stdout, stderr } = box.run([...argv, '--json'])
      expect([argv, code]).toEqual([argv, expected])
      expect(JSON.parse(stdout).error).toEqual({
        code: expect.any(String),
        message: expect.any(String),
        next: expect.any(String),
      })
      expect(stderr).not.toMatch(/^\s+at /m)
    }
    const words = box.run(['get', 'MEMORY.md'])
    expect(words.stdout).toBe('')
    expect(words.stderr).toContain('agents.defaults.memorySearch.chunking.tokens is 0; allowed: a whole number from 1')
  })

  test('help and version answer with 0', () => {
    const box = new Sandbox()
    expect(box.run(['--help']).stdout).toContain('mnemark search router vlan')
    expect(box.run(['search', '--help']).stdout).toContain('--why PATH[:LINE]')
    expect(box.run(['--version']).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})
