import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const example = fileURLToPath(new URL('../../examples/protocol-server.ts', import.meta.url))

test('the example of the README prints what its comments say, and ends by itself', () => {
  const output = execFileSync(process.execPath, ['--conditions=mnemark-source', '--no-warnings', example], {
    encoding: 'utf8',
    timeout: 600_000,
  })
  const comments = [...readFileSync(example, 'utf8').matchAll(/console\.log.* \/\/ (.+)/g)].map(([, comment]) => comment)
  expect(output.trim().split('\n')).toEqual(comments)
})

test('the README shows the example as it is', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(example, 'utf8')}\`\`\``)
})
