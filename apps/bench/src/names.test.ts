import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeVault } from './names/named-vault.ts'

const SCRIPT = join(import.meta.dirname, 'names.ts')

test('asks the example workspace and four vaults, and finds the note so called first', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-bench-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'names.json')
  const output = execFileSync(process.execPath, ['--conditions=mnemark-source', SCRIPT, '--names', '3', '--json', file], {
    encoding: 'utf8',
  })
  expect(output).toMatch(/^example workspace +all +\d+/m)
  const { vaults } = JSON.parse(readFileSync(file, 'utf8'))
  expect(vaults.map(({ name }: { name: string }) => name)).toEqual([
    'example workspace',
    'English',
    'Russian',
    'Arabic',
    'Chinese',
  ])
  for (const { first, byKind } of vaults) {
    expect(first).toBeGreaterThanOrEqual(0.98)
    expect(Object.keys(byKind)).toContain('heading')
  }
})

test('a made-up vault is the same in every run, and its names stand in more notes than their own', () => {
  const [one, other] = [makeVault('ru', 2), makeVault('ru', 2)]
  expect(one).toEqual(other)
  for (const { text, kind } of one.questions.filter((question) => question.kind === 'title')) {
    const holders = one.notes.filter((note) => note.text.toLowerCase().includes(text.trim().toLowerCase().replaceAll('-', ' ')))
    expect([kind, holders.length > 1]).toEqual(['title', true])
  }
})

test('bad use is one message and exit code 2', () => {
  for (const args of [['--names', '0'], ['--store', 'x'], ['--unknown']]) {
    const result = spawnSync(process.execPath, ['--conditions=mnemark-source', SCRIPT, ...args], { encoding: 'utf8' })
    expect(result.status).toBe(2)
    expect(result.stderr).not.toContain('    at ')
  }
})
