import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { modelFamily } from '@mnemark/provider-kit'
import { lmStudioWire, startProtocolServer } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { createLMStudio } from './create.ts'

const example = fileURLToPath(new URL('../examples/loaded-model.ts', import.meta.url))
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('the example of the README embeds with the model that is loaded', async () => {
  await using server = await startProtocolServer(lmStudioWire({ loaded: ['text-embedding-bge-m3'] }))
  const env = { ...process.env, LM_STUDIO_URL: server.origin }
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=mnemark-source', '--no-warnings', example], {
    env,
  })
  expect(stdout.trim()).toBe('text-embedding-bge-m3, 4096 tokens a text: 1024 numbers')
})

test('the README shows the example as it is', () => {
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(example, 'utf8')}\`\`\``)
})

const rows = readme.split('\n').filter((line) => line.startsWith('| `text-embedding-'))

test('the README has a table of models', () => expect(rows.length).toBeGreaterThan(5))

test.for(rows)('the row is true: %s', (row) => {
  const [, model = '', query, document, tokens] = row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll(/[`\\]/g, ''))
  const { prefix } = modelFamily(model) ?? {}
  expect([query, document]).toEqual([prefix?.query.trimEnd(), prefix?.document.trimEnd()])
  expect(createLMStudio({ model }).limits.maxInputTokens?.toLocaleString('en')).toBe(tokens)
})
