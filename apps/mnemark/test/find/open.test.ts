import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { TypedTerminal } from '../harness/typed-terminal.ts'

/** A workspace, and an editor that says what it was started with. */
function boxWithEditor(files: Readonly<Record<string, string>>): { readonly box: Sandbox; readonly editor: string } {
  const box = new Sandbox(files)
  const editor = join(box.root, 'nano')
  writeFileSync(editor, '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 })
  return { box, editor }
}

const NOTES = {
  'MEMORY.md': '# Home\n\nTea at five.\n',
  'memory/-dash.md': 'vlan\n',
  'memory/شبكة.md': 'x\n',
  'memory/a$(id).md': 'x\n',
}

test('P64: a place is opened at its line, by its whole path', () => {
  const { box, editor } = boxWithEditor(NOTES)
  const opened = (...argv: readonly string[]) => box.run(['open', ...argv], { env: { EDITOR: `${editor} -l` } })
  const lines = (...words: readonly string[]): string => `${words.join('\n')}\n`
  const file = (path: string): string => join(box.workspace, path)
  expect(opened('MEMORY.md:3')).toEqual({ code: 0, stdout: lines('-l', '+3', file('MEMORY.md')), stderr: '' })
  expect(opened('MEMORY.md#L2-L3').stdout).toBe(lines('-l', '+2', file('MEMORY.md')))
  expect(opened('memory/شبكة.md').stdout).toBe(lines('-l', file('memory/شبكة.md')))
  expect(opened('memory/-dash.md:1').stdout).toBe(lines('-l', '+1', file('memory/-dash.md')))
  expect(opened('memory/a$(id).md').stdout).toBe(lines('-l', file('memory/a$(id).md')))
  expect(opened('--workspace', box.workspace, '--', file('MEMORY.md')).stdout).toBe(lines('-l', file('MEMORY.md')))
})

test('under --json stdout holds the document alone', () => {
  const { box, editor } = boxWithEditor(NOTES)
  expect(box.json(['open', 'MEMORY.md:3'], { env: { VISUAL: editor } })).toEqual({
    code: 0,
    document: { path: 'MEMORY.md', status: 'opened', file: join(box.workspace, 'MEMORY.md'), line: 3, editor },
  })
})

test('what cannot be opened says why', () => {
  const { box } = boxWithEditor(NOTES)
  const opened = (path: string, env: Readonly<Record<string, string>> = {}) => box.run(['open', path], { env })
  expect(opened('MEMORY.md')).toMatchObject({ code: 3, stderr: expect.stringMatching(/VISUAL and EDITOR are not set\nName one/) })
  expect(opened('MEMORY.md', { EDITOR: 'no-such-editor' })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('"no-such-editor" of EDITOR cannot be started: there is no such program'),
  })
  expect(opened('MEMORY.md', { EDITOR: 'false' })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('false ended with exit code 1'),
  })
  expect(opened('memory/no.md', { EDITOR: 'true' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no note memory/no.md'),
  })
  expect(opened('../outside.md', { EDITOR: 'true' }).code).toBe(2)
  expect(opened('/etc/passwd', { EDITOR: 'true' }).code).toBe(2)
})

test('Ctrl+C belongs to an editor in the terminal', async () => {
  const { box, editor } = boxWithEditor(NOTES)
  writeFileSync(editor, '#!/bin/sh\ntrap "echo interrupted" INT\necho ready\nread answer\nread answer\necho "got $answer"\n', {
    mode: 0o755,
  })
  const terminal = new TypedTerminal(box, ['open', 'MEMORY.md'], { env: { EDITOR: editor } })
  await terminal.until('ready')
  terminal.type('\u0003')
  await terminal.until('interrupted')
  terminal.type('more\r')
  terminal.type('done\r')
  expect(await terminal.ended()).toBe(0)
  expect(terminal.output).toMatch(/got (?:done|more)/)
})
