import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { BEDROCK_ACCESS_KEY_ID, bedrockRerankWire, SECRET, startRerankServer } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { BEDROCK_RERANK_MODELS } from './models.ts'

const example = fileURLToPath(new URL('../examples/best-first.ts', import.meta.url))
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('the example of the README finds the better passage', async () => {
  await using server = await startRerankServer(bedrockRerankWire, { apiKey: SECRET })
  const keys = { AWS_ACCESS_KEY_ID: BEDROCK_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: SECRET, AWS_REGION: 'eu-west-1' }
  const env = { PATH: process.env['PATH'], ...keys, BEDROCK_URL: server.origin }
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=mnemark-source', '--no-warnings', example], {
    env,
  })
  expect(stdout.trim()).toBe('Mara moved to Bergen in March and lives by the harbour now. 20')
})

test('the README shows the example as it is', () => {
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(example, 'utf8')}\`\`\``)
})

test.for(Object.entries(BEDROCK_RERANK_MODELS))('the README has the row of %s', ([model, known]) => {
  const rows = readme.split('\n').map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  expect(rows.find(([, name]) => name?.split(' ')[0] === model)?.[2]).toBe(known.usdPerThousandQueries.toFixed(2))
})
