import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SECRET, startRerankServer, voyageRerankWire } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { VOYAGE_RERANK_MODELS } from './models.ts'

const example = fileURLToPath(new URL('../examples/best-first.ts', import.meta.url))
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('the example of the README finds the better passage', async () => {
  await using server = await startRerankServer(voyageRerankWire, { apiKey: SECRET })
  const env = { ...process.env, VOYAGE_API_KEY: SECRET, VOYAGE_BASE_URL: server.baseUrl }
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=mnemark-source', '--no-warnings', example], {
    env,
  })
  expect(stdout.trim()).toBe('Mara moved to Bergen in March and lives by the harbour now. 20')
})

test('the README shows the example as it is', () => {
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(example, 'utf8')}\`\`\``)
})

test.for(Object.entries(VOYAGE_RERANK_MODELS))('the README has the row of %s', ([model, known]) => {
  const rows = readme.split('\n').map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  expect(rows.find(([, name]) => name?.split(' ')[0] === model)?.slice(2, 5)).toEqual([
    known.maxQueryTokens.toLocaleString('en'),
    known.maxPairTokens.toLocaleString('en'),
    String(known.usdPerMillionTokens),
  ])
})
