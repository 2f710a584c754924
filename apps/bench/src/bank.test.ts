import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['--conditions=mnemark-source', join(import.meta.dirname, 'bank.ts'), ...args], {
    encoding: 'utf8',
  })

test('asks a year and prints each kind in each language, and each seed', () => {
  const { status, stdout } = run('--seeds', '9', '--questions', '1', '--no-retain')
  expect(status).toBe(0)
  expect(stdout).toMatch(/^value-then +zh +1 /m)
  expect(stdout).toMatch(/^all +all +15 /m)
  expect(stdout).toMatch(/^ +9 +15 /m)
})

test('bad use is one message and exit code 2', () => {
  const { status, stderr } = run('--seeds', '1,x')
  expect(status).toBe(2)
  expect(stderr).toMatch(/^--seeds: expected numbers from 1, got 1,x$/m)
  expect(stderr).not.toContain('    at ')
})
