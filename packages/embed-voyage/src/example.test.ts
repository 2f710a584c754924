import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { voyageWire, SECRET, startProtocolServer } from '@mnemark/testkit'
import { expect, test } from 'vitest'

const example = fileURLToPath(new URL('../examples/embed-notes.ts', import.meta.url))

test('the example of the README embeds two texts', async () => {
  await using server = await startProtocolServer(voyageWire, { apiKey: SECRET })
  const env = { ...process.env, VOYAGE_API_KEY: SECRET, VOYAGE_BASE_URL: server.baseUrl }
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=mnemark-source', '--no-warnings', example], {
    env,
  })
  expect(stdout).toBe('2 vectors of 512 numbers, 12 tokens\n')
})

test('the README shows the example as it is', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(example, 'utf8')}\`\`\``)
})
