import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { BEDROCK_ACCESS_KEY_ID, bedrockWire, SECRET, startProtocolServer } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { BEDROCK_EMBEDDING_MODELS } from './models.ts'

const example = fileURLToPath(new URL('../examples/embed-notes.ts', import.meta.url))
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('the example of the README embeds two texts', async () => {
  await using server = await startProtocolServer(bedrockWire('cohere.embed-multilingual-v3'), { apiKey: SECRET })
  const keys = { AWS_ACCESS_KEY_ID: BEDROCK_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: SECRET, AWS_REGION: 'eu-west-1' }
  const env = { PATH: process.env['PATH'], ...keys, BEDROCK_URL: server.origin }
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=mnemark-source', '--no-warnings', example], {
    env,
  })
  expect(stdout.trim()).toBe('[ 1024, 1024 ] 12')
})

test('the README shows the example as it is', () => {
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(example, 'utf8')}\`\`\``)
})

test.for(Object.entries(BEDROCK_EMBEDDING_MODELS))('the README has the row of %s', ([model, known]) => {
  const { dimensions, lengths, maxInputs, maxInputTokens, usdPerMillionTokens } = known
  const rows = readme.split('\n').map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  const others = lengths.filter((length) => length !== dimensions).join(', ')
  expect(rows.find(([, name]) => name?.split(' ')[0] === model)?.slice(2, 6)).toEqual([
    others === '' ? String(dimensions) : `${dimensions}; ${others}`,
    String(maxInputs),
    maxInputTokens.toLocaleString('en'),
    usdPerMillionTokens?.toFixed(3).replace(/0$/, '') ?? 'by request',
  ])
})
