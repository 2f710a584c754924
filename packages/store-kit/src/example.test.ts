import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const example = fileURLToPath(new URL('../examples/list-chunks.ts', import.meta.url))

test('the example of the README runs, and is the one in the README', () => {
  const output = execFileSync(process.execPath, ['--conditions=mnemark-source', '--no-warnings', example], { encoding: 'utf8' })
  expect(output).toBe('2026-03-14 memory/2026-03-14.md\n2026-03-13 memory/2026-03-13.md\n')
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(example, 'utf8')}\`\`\``)
})
