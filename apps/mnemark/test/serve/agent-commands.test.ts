import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'

const today = (): string => new Date().toISOString().slice(0, 10)

const notes = (more: Readonly<Record<string, string>> = {}): Sandbox =>
  new Sandbox({
    'MEMORY.md': '# Memory\n\n- Huda prefers pnpm\n',
    'SOUL.md': '# Soul\n\nKind and brief.\n',
    [`memory/${today()}.md`]: '- released the blue logo\n',
    'memory/net.md': '# Network\n\n- VLAN 10 is for guests\n- password: hunter2\n',
    ...more,
  })

describe('context', () => {
  test('prints what a session begins with, without an index, and a group sees less', () => {
    const box = notes()
    const own = box.run(['context'])
    expect(own).toMatchObject({ code: 0, stderr: '' })
    expect(own.stdout).toMatch(
      /^<!-- mnemark:recalled -->[\s\S]*Kind and brief[\s\S]*Huda[\s\S]*blue logo[\s\S]*<!-- \/mnemark:recalled -->\n$/,
    )
    for (const argv of [
      ['--chat-type', 'group'],
      ['--session-key', 'agent:main:telegram:group:42'],
      ['--agent', 'other', '--session-key', 'agent:main:main'],
    ]) {
      const { code, document } = box.json(['context', ...argv])
      expect([code, document.isPrivate]).toEqual([0, false])
      expect(document.text).not.toContain('Huda')
    }
    expect(box.run(['status', '--json']).stdout).toContain('"index":null')
  })

  test('the budget holds, bad ones are refused, and nothing is exit code 1', () => {
    const box = notes({ [`memory/${today()}.md`]: '- entry of the day, and a long one\n'.repeat(2_000) })
    expect(Number(box.json(['context', '--budget', '500']).document.tokens)).toBeLessThanOrEqual(500)
    expect(box.run(['context', '--budget', '3']).code).toBe(2)
    expect(box.run(['context', '--chat-type', 'private']).code).toBe(2)
    expect(new Sandbox({ 'memory/2001-01-01.md': 'old\n' }).run(['context'])).toMatchObject({ code: 1, stdout: '' })
  })
})

test('B79: a forgotten note is not shown at the start of a session, also where the index was removed since', () => {
  const box = notes()
  box.run(['index'])
  expect(box.run(['forget', `memory/${today()}.md`]).code).toBe(0)
  expect(box.run(['context']).stdout).not.toContain('blue logo')
  rmSync(join(box.workspace, '.mnemark/main.sqlite'))
  expect(box.run(['context']).stdout).not.toContain('blue logo')
})

describe('citations', () => {
  test('a hit of --json is found again by its hash after the note was edited', () => {
    const box = notes()
    const { document } = box.json(['search', 'vlan guests'])
    const hit = document.hits?.['0']
    const quote = ['get', String(hit?.citation), '--quote', String(hit?.quoteHash)]
    expect(box.json(quote)).toMatchObject({ code: 0, document: { moved: 'same', startLine: 1 } })
    box.write('memory/net.md', 'Before.\n\n# Network\n\n- VLAN 10 is for guests\n- password: hunter2\n')
    expect(box.json(quote)).toMatchObject({ code: 0, document: { moved: 'moved', startLine: 3, endLine: 6 } })
    expect(box.run(quote).stderr).toContain('has moved (memory/net.md#L3-L6)')
    box.write('memory/net.md', '# Recipes\n\n- rice with cumin\n')
    expect(box.json(quote)).toMatchObject({ code: 1, document: { moved: 'gone', text: '' } })
    expect(box.run(['get', 'MEMORY.md', '--quote', 'nonsense']).code).toBe(2)
  })

  test.each([
    ['on', [], true],
    ['auto', ['--chat-type', 'direct'], true],
    ['auto', ['--chat-type', 'group'], false],
    ['off', ['--chat-type', 'direct'], false],
  ])(
    'memory.citations %s, asked with %j: the path is in the hit, the source in the excerpt as configured',
    (citations, argv, isCited) => {
      const box = notes({ 'mnemark.json5': `{ memory: { citations: "${citations}" } }` })
      const hit = box.json(['search', 'vlan', ...argv]).document.hits?.['0']
      expect(hit).toMatchObject({ path: 'memory/net.md', citation: 'memory/net.md#L1-L4' })
      expect(String(hit?.snippet).endsWith('Source: memory/net.md#L1-L4')).toBe(isCited)
    },
  )
})

test('--mask hides secrets, also in highlights and columns of tables that began above', () => {
  const table = `| Service | Password |\n| --- | --- |\n${Array.from({ length: 120 }, (_, row) => `| service ${row} of the house | flower garden ${row} |`).join('\n')}\n`
  const box = notes({ 'memory/accounts.md': `# Accounts\n\n${table}` })
  for (const argv of [
    ['search', 'password'],
    ['search', 'service 100'],
    ['get', 'memory/net.md'],
    ['get', 'memory/accounts.md', '--from', '90', '--lines', '5'],
  ]) {
    const plain = JSON.stringify(box.json(argv).document)
    const masked = JSON.stringify(box.json([...argv, '--mask']).document)
    expect(plain).toMatch(/hunter2|flower garden/)
    expect(masked).not.toMatch(/hunter2|flower garden/)
    expect(masked).toContain('(hidden)')
  }
  const hit = box.json(['search', 'guests hunter2', '--mask']).document.hits?.['0']
  const snippet = String(hit?.snippet)
  const ranges = Object.values(hit?.highlights ?? {}).map((range) => snippet.slice(Number(range?.['0']), Number(range?.['1'])))
  expect(ranges).toContain('guests')
})

test('scope rules hold on the command line too, and what they denied is told on stderr without the question', () => {
  const scope = { default: 'deny', rules: [{ action: 'allow', match: { chatType: 'direct' } }] }
  const box = notes({ 'mnemark.json5': JSON.stringify({ memory: { scope } }) })
  const denied = box.run(['search', 'vlan', '--json', '--session-key', 'agent:main:telegram:group:1'])
  expect(JSON.parse(denied.stdout)).toMatchObject({ hits: [], degraded: [{ code: 'scope-denied' }] })
  expect(denied.stderr).toMatch(/channel=telegram, chatType=group/)
  expect(denied.stderr).not.toContain('vlan')
  const start = box.run(['context', '--json', '--session-key', 'agent:main:telegram:group:1'])
  expect([start.code, JSON.parse(start.stdout)]).toMatchObject([3, { error: { code: 'denied' } }])
  expect(box.run(['context']).code).toBe(0)
  expect(box.json(['search', 'vlan', '--chat-type', 'direct'])).toMatchObject({ code: 0, document: { hits: { length: 1 } } })
  expect(box.run(['search', 'vlan', '--json', '--session-key', 'agent:main:main']).stdout).toContain('Source: memory/net.md#L')
})

test('with sync.onSearch false a search answers from the last sync', () => {
  const box = notes({ 'mnemark.json5': '{ agents: { defaults: { memorySearch: { sync: { onSearch: false } } } } }' })
  expect(box.run(['search', 'vlan']).code).toBe(0)
  box.write('memory/new.md', '- zebra\n')
  expect(box.run(['search', 'zebra']).code).toBe(1)
  box.run(['index'])
  expect(box.run(['search', 'zebra']).code).toBe(0)
})

test('every command of --help has examples, and completion prints a script for each shell', () => {
  const box = notes()
  for (const command of ['context', 'serve', 'mcp', 'completion', 'search', 'get'])
    expect(box.run([command, '--help']).stdout).toMatch(new RegExp(`Examples:\n  (?:mnemark|source <\\(mnemark) ${command}`))
  for (const shell of ['bash', 'zsh', 'fish']) expect(box.run(['completion', shell]).stdout).toContain('mnemark')
  expect(box.run(['completion', 'tcsh']).code).toBe(2)
})
