import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const example = fileURLToPath(new URL('../../examples/embed-texts.ts', import.meta.url))

test('the example of the README embeds its notes and its query', () => {
  const output = execFileSync(process.execPath, ['--conditions=mnemark-source', '--no-warnings', example], { encoding: 'utf8' })
  expect(output.trimEnd().split('\n')).toEqual([
    '1 no vector pieces: 1',
    '0 5 pieces: 1',
    '2 5 pieces: 2',
    '3 embedded, 0 failed, 2 requests',
    '5 1',
  ])
})

test('the README shows the example as it is', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(example, 'utf8')}\`\`\``)
})
