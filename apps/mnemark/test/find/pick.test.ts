import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LAUNCHER, Sandbox } from '../harness/launcher.ts'
import { TypedTerminal } from '../harness/typed-terminal.ts'

const NOTES = {
  'MEMORY.md': '# Home\n\nTea at five.\n\n## Router\n\nThe VLAN of guests is ten.\n',
  'memory/2026-03-14.md': '# Printer\n\nThe printer is PW-4471.\n',
  'memory/شبكة.md': '# شبكة\n\nالراوتر في المطبخ\n',
}
const ESCAPE = '\u001B'
const CTRL_C = '\u0003'
const DOWN = '\u001B[B'

function picking(
  argv: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): { readonly box: Sandbox; readonly terminal: TypedTerminal } {
  const box = new Sandbox(NOTES)
  box.run(['index'])
  return { box, terminal: new TypedTerminal(box, ['pick', ...argv], { env }) }
}

describe('P64: the picker', () => {
  test('what is typed finds at once, also the beginning of a word, and Enter prints the place', async () => {
    const { terminal } = picking(['--print'])
    await terminal.until('MEMORY.md:1')
    terminal.type('gues')
    await terminal.until('The VLAN of guests is ten.')
    expect(await terminal.press('\r')).toBe(0)
    expect(terminal.output).toMatch(/MEMORY\.md:7\s*$/)
  })

  test('a query may come with the command, in any script, and Enter opens the editor at the line', async () => {
    const box = new Sandbox(NOTES)
    const editor = join(box.root, 'nano')
    writeFileSync(editor, '#!/bin/sh\nprintf "opened %s\\n" "$@"\n', { mode: 0o755 })
    const terminal = new TypedTerminal(box, ['pick', 'راوتر'], { env: { EDITOR: editor } })
    await terminal.until('الراوتر في المطبخ')
    expect(await terminal.press('\r')).toBe(0)
    expect(terminal.output).toContain('opened +3')
    expect(terminal.output).toContain(`opened ${join(box.workspace, 'memory/شبكة.md')}`)
  })

  test('without words the notes stand there, and arrows move', async () => {
    const { terminal } = picking(['--print'])
    await terminal.until('❯ memory/2026-03-14.md:1')
    terminal.type(DOWN)
    await terminal.until('❯ MEMORY.md:1')
    expect(await terminal.press('\r')).toBe(0)
  })

  test.each([
    ['Esc', ESCAPE],
    ['Ctrl+C', CTRL_C],
  ])('%s leaves with exit code 130, prints nothing, and the terminal as it was', async (_name, key) => {
    const { terminal } = picking()
    await terminal.until('MEMORY.md:1')
    terminal.type('vlan')
    await terminal.until('The VLAN of guests is ten.')
    expect(await terminal.press(key)).toBe(130)
    expect(terminal.output).not.toMatch(/MEMORY\.md:7\s*$/)
    expect(terminal.output).not.toContain('Error')
    // The cursor is shown again where it was hidden, and no other screen is left open.
    const [hidden, shown] = [terminal.output.lastIndexOf('\u001B[?25l'), terminal.output.lastIndexOf('\u001B[?25h')]
    expect(shown).toBeGreaterThanOrEqual(hidden)
    expect(terminal.output).not.toContain('\u001B[?1049h')
  })

  test('after Esc the shell reads lines as before', async () => {
    const box = new Sandbox(NOTES)
    box.run(['index'])
    const script = `stty -a | grep -o -- '-\\?icanon\\|-\\?echo ' > before; "${LAUNCHER}" pick; stty -a | grep -o -- '-\\?icanon\\|-\\?echo ' > after; cmp before after && echo same`
    box.write('script.sh', script)
    const terminal = new TypedTerminal(box, ['pick'], { program: ['/bin/sh', 'script.sh'] })
    await terminal.until('MEMORY.md:1')
    await terminal.press(ESCAPE)
    expect(terminal.output).toContain('same')
  })

  test('on a pipe the place goes there, as a program can open it, and the asking to the terminal', async () => {
    const box = new Sandbox(NOTES)
    box.run(['index'])
    box.write('script.sh', `"${LAUNCHER}" pick guests --workspace "$PWD" > place`)
    const terminal = new TypedTerminal(box, [], { program: ['/bin/sh', 'script.sh'] })
    await terminal.until('The VLAN of guests is ten.')
    expect(await terminal.press('\r')).toBe(0)
    expect(spawnSync('cat', ['place'], { cwd: box.workspace, encoding: 'utf8' }).stdout).toBe('MEMORY.md:7\n')
  })

  test('without a terminal there is nobody to choose', () => {
    const box = new Sandbox(NOTES)
    expect(box.run(['pick', 'vlan'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('stdin and stderr at a terminal'),
    })
    expect(box.json(['pick'])).toMatchObject({ code: 2, document: { error: { code: 'no-terminal' } } })
  })
})
