import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const SCRIPT = join(import.meta.dirname, 'run.mjs')
const PNPM_VERSION = '11.28.11'

/** Runs a copy of the script in a checkout of its own, with programs that only say that they were called. */
function run(task: string, { hasPnpm, isInstalled }: { readonly hasPnpm: boolean; readonly isInstalled: boolean }) {
  const root = mkdtempSync(join(tmpdir(), 'mnemark-run-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const folder of ['tooling', 'bin', 'node_modules']) mkdirSync(join(root, folder))
  copyFileSync(SCRIPT, join(root, 'tooling/run.mjs'))
  if (isInstalled) writeFileSync(join(root, 'node_modules/.modules.yaml'), '')
  program(join(root, 'bin/npx'), 'echo "called npx" >&2')
  const version = hasPnpm ? PNPM_VERSION : '0.0.0'
  program(join(root, 'bin/pnpm'), `[ "$1" = --version ] && echo ${version} || echo "called pnpm" >&2`)
  const PATH = [join(root, 'bin'), dirname('/bin/sh')].join(delimiter)
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'tooling/run.mjs'), task], {
    encoding: 'utf8',
    env: { PATH },
  })
  return { status, lines: stderr.split('\n') }
}

function program(file: string, body: string): void {
  writeFileSync(file, `#!/bin/sh\n${body}\n`)
  chmodSync(file, 0o755)
}

test('P66: npm start says what it installs before it begins', () => {
  const { status, lines } = run('start', { hasPnpm: false, isInstalled: false })
  expect(status).toBe(0)
  expect(lines[0]).toMatch(/^Mnemark: installing node 24\.\S+ and pnpm 11\.\S+ .* the packages of this project .* half a minute/)
  expect(lines[1]).toBe('called npx')
})

test.each(['start', 'test'])('P66: npm %s with pnpm there installs packages only', (task) => {
  const { lines } = run(task, { hasPnpm: true, isInstalled: false })
  expect(lines[0]).toMatch(/^Mnemark: installing the packages/)
  expect(lines[1]).toBe('called pnpm')
})

test('P66: an install that is there is only looked over', () => {
  expect(run('start', { hasPnpm: true, isInstalled: true }).lines[0]).toBe(
    'Mnemark: checking the packages of this project; a few seconds.',
  )
})

test('P66: a task that is none installs nothing', () => {
  const { status, lines } = run('strat', { hasPnpm: true, isInstalled: false })
  expect([status, lines]).toEqual([2, ['run.mjs: expected one of start, test, got "strat"', '']])
})
