import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cohereLikeRerankWire, SECRET, startRerankServer } from '@mnemark/testkit'
import { expect, test } from 'vitest'

const example = fileURLToPath(new URL('../examples/best-first.ts', import.meta.url))

test('the example of the README finds the better passage', async () => {
  await using server = await startRerankServer(cohereLikeRerankWire, { apiKey: SECRET })
  const env = { ...process.env, RERANK_API_KEY: SECRET, RERANK_BASE_URL: server.baseUrl }
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=mnemark-source', '--no-warnings', example], {
    env,
  })
  expect(stdout.trim()).toBe('Mara moved to Bergen in March and lives by the harbour now. 20')
})

test('the README shows the example as it is', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(example, 'utf8')}\`\`\``)
})
