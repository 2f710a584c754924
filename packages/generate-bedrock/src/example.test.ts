import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { BEDROCK_ACCESS_KEY_ID, bedrockChatWire, SECRET, startChatServer } from '@mnemark/testkit'
import { expect, test } from 'vitest'

const example = fileURLToPath(new URL('../examples/one-answer.ts', import.meta.url))

test('the example of the README prints an answer', async () => {
  await using server = await startChatServer(bedrockChatWire, { apiKey: SECRET })
  const keys = { AWS_ACCESS_KEY_ID: BEDROCK_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: SECRET, AWS_REGION: 'eu-west-1' }
  const env = { PATH: process.env['PATH'], ...keys, BEDROCK_URL: server.origin }
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=mnemark-source', '--no-warnings', example], {
    env,
  })
  expect(stdout.trim()).toBe('Noted: Mara moved to Bergen in March. Peter stayed in Oslo. 11')
})

test('the README shows the example as it is', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(example, 'utf8')}\`\`\``)
})
