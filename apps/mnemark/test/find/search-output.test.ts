import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { runInTerminal } from '../harness/typed-terminal.ts'

const NOTES = {
  'MEMORY.md': '# Home\n\nTea at five.\n\n## Router\n\nThe VLAN of guests is ten.\nIts password is on the box.\n',
  'memory/شبكة.md': '# شبكة\n\nالراوتر VLAN عشرة\n',
}

describe('P14, P64: hits name their best line', () => {
  test('a hit begins with PATH:LINE, which an editor opens and get reads, in any script', () => {
    const box = new Sandbox(NOTES)
    const { stdout } = box.run(['search', 'guests', 'vlan'])
    expect(stdout).toMatch(/^MEMORY\.md:7 {2}\d\.\d\d {2}all words {2}lines 5-8 {2}Router$/m)
    expect(stdout).toMatch(/^ +7: The VLAN of guests is ten\.$/m)
    expect(stdout).toMatch(/^memory\/شبكة\.md:3 {2}/m)
    expect(box.run(['get', 'MEMORY.md:7', '--quiet']).stdout).toBe('The VLAN of guests is ten.\n')
    expect(box.run(['get', 'memory/شبكة.md:3', '--quiet']).stdout).toBe('الراوتر VLAN عشرة\n')
    // The lines themselves stay isolated, so that they do not turn their number around.
    expect(stdout).toContain('3: \u2068الراوتر VLAN عشرة\u2069')
  })
})

describe('P64: links on a terminal', () => {
  test('a place is a link to its file where the terminal knows links, and never on a pipe', async () => {
    const box = new Sandbox(NOTES)
    box.run(['index'])
    const env = { TERM_PROGRAM: 'WezTerm', TERM_PROGRAM_VERSION: '20240203-110809-5046fc22' }
    const { output } = await runInTerminal(box, ['search', 'vlan'], { env })
    for (const path of ['MEMORY.md', 'memory/شبكة.md']) {
      expect(output).toContain(`\u001B]8;;${pathToFileURL(join(box.workspace, path)).href}\u001B\\`)
    }
    expect(output).toContain('\u2068memory/شبكة.md:3\u2069')
    const plain = [{}, { ...env, NO_COLOR: '1' }, { ...env, TERM: 'dumb' }, { ...env, FORCE_HYPERLINK: '0' }]
    for (const each of plain)
      expect((await runInTerminal(box, ['search', 'vlan'], { env: each })).output).not.toContain('\u001B]8;;')
    expect(box.run(['search', 'vlan'], { env: { ...env, FORCE_HYPERLINK: '1' } }).stdout).not.toContain('\u001B')
  })
})

describe('P64: --files', () => {
  test('paths only, each once, best first, as a program started there can open them', () => {
    const long = Array.from(
      { length: 300 },
      (_, at) => `## Part ${at}\n\nvlan number ${at} with some more words to fill the passage\n`,
    ).join('\n')
    const box = new Sandbox({
      ...NOTES,
      'memory/long.md': long,
      'memory/-dash.md': 'vlan dash\n',
      'memory/a b.md': 'vlan blank\n',
    })
    const run = (cwd: string, ...argv: readonly string[]): readonly string[] => {
      const { code, stdout } = box.run(['search', 'vlan', '--files', '-k', '50', '--workspace', box.workspace, ...argv], { cwd })
      expect(code).toBe(0)
      return stdout.trimEnd().split('\n').toSorted()
    }
    expect(run(box.workspace)).toEqual(['MEMORY.md', 'memory/-dash.md', 'memory/a b.md', 'memory/long.md', 'memory/شبكة.md'])
    expect(run(join(box.workspace, 'memory'), '--path', 'memory/')).toEqual(['./-dash.md', 'a b.md', 'long.md', 'شبكة.md'])
    expect(run(box.home, '--path', 'MEMORY.md')).toEqual([join(box.workspace, 'MEMORY.md')])
    const counted = spawnSync('xargs', ['-0', 'grep', '-c', 'vlan'], {
      cwd: box.workspace,
      encoding: 'utf8',
      input: box.run(['search', 'vlan', '-0', '--files', '-k', '50', '--path', 'memory/']).stdout,
    })
    expect(counted.stdout).toContain('memory/long.md:300\n')
    expect(counted.stderr).toBe('')
  })

  test('a name with a line break is whole with --null, and notes of extra paths are where they lie', () => {
    const box = new Sandbox({ 'notes/line\nbreak.md': 'vlan ten\n', 'notes/plain.md': 'vlan six\n' })
    const { stdout } = box.run(['search', 'vlan', '--files', '--null'])
    expect(stdout.split('\0').toSorted()).toEqual(['', 'notes/line\nbreak.md', 'notes/plain.md'])
    mkdirSync(join(box.root, 'more'))
    box.write('../more/extra.md', 'the quokka\n')
    box.configure("{ agents: { defaults: { memorySearch: { extraPaths: ['../more'] } } } }")
    expect(box.run(['search', 'quokka', '--files']).stdout).toBe(`${join(box.root, 'more/extra.md')}\n`)
  })

  test('nothing found is exit code 1 and no output; what would not be plain paths is refused', () => {
    const box = new Sandbox(NOTES)
    expect(box.run(['search', 'zebra', '--files'])).toMatchObject({ code: 1, stdout: '' })
    expect(box.run(['search', 'vlan', '--files', '--json']).code).toBe(2)
    expect(box.run(['search', 'vlan', '--files', '--explain']).code).toBe(2)
    expect(box.run(['search', 'vlan', '-0']).code).toBe(2)
  })
})
