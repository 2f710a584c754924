import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { COMMANDS, GLOBAL_OPTIONS } from '../commands.ts'
import { bashCompletion } from './bash.ts'
import { fishCompletion } from './fish.ts'
import { zshCompletion } from './zsh.ts'

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const
type Shell = keyof typeof SCRIPTS

const isHere = (shell: Shell): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0

/** Runs `program` in a shell that has read its completion script, in a folder with one note. */
function run(shell: Shell, program: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-completion-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'note.md'), 'x')
  writeFileSync(join(folder, 'mnemark'), "#!/bin/sh\n[ \"$*\" = 'workspace list' ] && printf 'notes\t/n\\nwork\t/w\\n'\n", {
    mode: 0o755,
  })
  writeFileSync(join(folder, 'script'), SCRIPTS[shell](COMMANDS, GLOBAL_OPTIONS))
  const { stdout, stderr } = spawnSync(shell, ['-c', program], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env.PATH}`, HOME: folder },
  })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((line) => line !== '')
}

/** Completes `mnemark` and these words in a shell. */
const COMPLETE: Readonly<Record<'bash' | 'fish', (words: readonly string[]) => readonly string[]>> = {
  bash: (words) => {
    const line = words.map((word) => `'${word}'`).join(' ')
    const ask = `COMP_WORDS=(mnemark ${line}); COMP_CWORD=${words.length}; _mnemark 2>/dev/null`
    return run('bash', `source ./script; ${ask}; printf '%s\\n' "\${COMPREPLY[@]}"`)
  },
  fish: (words) =>
    run('fish', `source script; complete -C 'mnemark ${words.join(' ')}'`).map((line) => line.split('\t')[0] ?? ''),
}

for (const shell of ['bash', 'fish'] as const) {
  test.skipIf(!isHere(shell))(`${shell} completes commands, options, their values, words and files`, () => {
    const complete = COMPLETE[shell]
    expect(complete(['se'])).toEqual(['search', 'sessions', 'serve'])
    expect(complete(['search', '--chat-'])).toEqual(['--chat-type'])
    expect(complete(['search', '--chat-type', '']).toSorted()).toEqual(['channel', 'direct', 'group'])
    expect(complete(['--json', 'config', 'ch'])).toEqual(['check'])
    expect(complete(['get', 'no'])).toEqual(['note.md'])
    expect(complete(['search', 'no'])).toEqual([])
    expect(complete(['search', '--since', 'y'])).toEqual(['yesterday'])
    expect(complete(['search', '--kind', 'tr'])).toEqual(['transcript'])
    expect(complete(['retain', '--kind', 'o']).toSorted()).toEqual(['observation', 'opinion'])
    expect(complete(['retain', '--kind', 'tr'])).toEqual([])
    expect(complete(['search', '--path', 'no'])).toEqual(['note.md'])
    expect(complete(['workspace', 'r'])).toEqual(['remove'])
    expect(complete(['search', '-w', '']).toSorted()).toEqual(['notes', 'work'])
  })
}

test.skipIf(!isHere('zsh'))('zsh reads its script and uses it for mnemark', () => {
  expect(run('zsh', 'zsh -n script')).toEqual([])
  expect(run('zsh', 'autoload -U compinit; compinit -u -D; source ./script; print -l ${_comps[mnemark]}')).toEqual(['_mnemark'])
})

test.each(['bash', 'zsh', 'fish'] as const)('the script of %s names every command and option', (shell) => {
  const script = SCRIPTS[shell](COMMANDS, GLOBAL_OPTIONS)
  for (const [name, { options }] of Object.entries(COMMANDS)) {
    expect(script).toContain(name)
    for (const option of Object.keys(options)) expect(script).toMatch(new RegExp(`(?:--|-l |-s |-)${option}\\b`))
  }
})
