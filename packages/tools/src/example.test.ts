import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const EXAMPLE = fileURLToPath(new URL('../examples/notes-as-tools.ts', import.meta.url))

test('the example of the README runs, and is the one in the README', () => {
  const argv = ['--conditions=mnemark-source', '--no-warnings', EXAMPLE]
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^\[ 'memory_search', 'memory_get', 'memory_list', 'memory_recent' \]\n<!-- mnemark:recalled -->/)
  expect(stdout).toContain('> - The printer is on VLAN 20.')
  expect(stdout).toContain("path: 'memory/2026-03-14.md'")
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(EXAMPLE, 'utf8')}\`\`\``)
})
