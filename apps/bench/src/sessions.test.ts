import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const run = (...commandLine: readonly string[]) =>
  spawnSync(process.execPath, ['--conditions=mnemark-source', '--no-warnings', 'sessions.ts', ...commandLine], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })

test('each policy of fsync is measured, and the bytes of an append among few sessions and many', () => {
  const { status, stdout, stderr } = run('--appends', '20', '--sessions', '30')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  for (const policy of ['never', 'interval', 'always'])
    expect(stdout).toMatch(new RegExp(`^${policy} +[\\d.]+ +[\\d.]+ +[\\d.]+$`, 'm'))
  for (const count of [1, 3, 30]) expect(stdout).toMatch(new RegExp(`^ +${count} +\\d+$`, 'm'))
})

test.each([
  ['--appends', '0'],
  ['--sessions', 'many'],
  ['--speed', '1'],
])('%s %s is refused in words', (option, value) => {
  const { status, stderr } = run(option, value)
  expect(status).toBe(2)
  expect(stderr).toContain(option)
  expect(stderr).not.toContain('    at ')
})
