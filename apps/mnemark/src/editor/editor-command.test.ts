import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { editorCommand } from './editor-command.ts'

const at = (editor: string, line: number | undefined = 7): readonly string[] => {
  const { program, arguments: argv } = editorCommand('/n/a b:3.md', line, { EDITOR: editor, TOOLS: '/opt/my tools' })
  return [program, ...argv]
}

test.each([
  ['vi', ['vi', '+7', '/n/a b:3.md']],
  ['nano', ['nano', '+7', '/n/a b:3.md']],
  ['nvim -p', ['nvim', '-p', '+7', '/n/a b:3.md']],
  ['vim', ['vim', '+call cursor(7, 1)', '/n/a b:3.md']],
  ['/usr/bin/emacsclient -t', ['/usr/bin/emacsclient', '-t', '+7:1', '/n/a b:3.md']],
  ['hx', ['hx', '/n/a b:3.md:7']],
  ['code --wait', ['code', '--wait', '-r', '-g', '/n/a b:3.md:7:1']],
  ['subl -w', ['subl', '-w', '/n/a b:3.md:7:1']],
  ['idea', ['idea', '--line', '7', '--column', '1', '/n/a b:3.md']],
  // An unknown editor opens the file at its beginning; a file named +7 would be worse.
  ['my-editor --fast', ['my-editor', '--fast', '/n/a b:3.md']],
])('P64: %s opens at the line', (editor, expected) => {
  expect(at(editor)).toEqual(expected)
})

test('quotes and variables are read as a shell reads them, and nothing else is', () => {
  expect(at('"/opt/my tools/ed" \'-x y\'')).toEqual(['/opt/my tools/ed', '-x y', '/n/a b:3.md'])
  expect(at('"$TOOLS/nano" -l')).toEqual(['/opt/my tools/nano', '-l', '+7', '/n/a b:3.md'])
  for (const editor of ['vim; rm -rf /', 'vim | cat', 'vim > /tmp/x', 'vim && true', 'vim $(id)', 'vim *', '# vim']) {
    expect(() => at(editor)).toThrow('no shell runs it')
  }
})

test('a program whose path has blanks needs no quotes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-editor-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'My Editor.app'))
  const program = join(folder, 'My Editor.app/nano')
  writeFileSync(program, '')
  expect(at(program)).toEqual([program, '+7', '/n/a b:3.md'])
})

test('VISUAL comes before EDITOR, blank ones count as not set, and without one the variables are named', () => {
  const programOf = (environment: Readonly<Record<string, string>>): string => editorCommand('/n/a.md', 1, environment).program
  expect(programOf({ VISUAL: 'code', EDITOR: 'vi' })).toBe('code')
  expect(programOf({ VISUAL: ' ', EDITOR: 'vi' })).toBe('vi')
  expect(() => programOf({ VISUAL: '', EDITOR: '' })).toThrow('VISUAL and EDITOR are not set')
})
