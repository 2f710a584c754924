import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const run = (...commandLine: readonly string[]) =>
  spawnSync(process.execPath, ['--conditions=mnemark-source', '--no-warnings', 'embed-overhead.ts', ...commandLine], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })

test('each way of embedding brings every vector, also of a last request that is not full, and is compared', () => {
  const { status, stdout, stderr } = run('--rounds', '2', '--texts', '250')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const ways = ['planning and checking alone', 'bare SDK', 'adapter', 'adapter, planned by core']
  for (const way of ways) expect(stdout).toMatch(new RegExp(`^${way} +\\d+ +\\d+\\.\\d %$`, 'm'))
  expect(stdout).toMatch(/^bare SDK +\d+ +100\.0 %$/m)
  expect(stdout).toContain('Medians of 2 rounds of 250 texts')
})

test.each([
  ['--rounds', '0'],
  ['--texts', 'many'],
  ['--speed', '1'],
])('%s %s is refused in words', (option, value) => {
  const { status, stderr } = run(option, value)
  expect(status).toBe(2)
  expect(stderr).toContain(option)
  expect(stderr).not.toContain('    at ')
})
