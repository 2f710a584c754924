import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { mistralChatWire, SECRET, startChatServer } from '@mnemark/testkit'
import { expect, test } from 'vitest'

const example = fileURLToPath(new URL('../examples/one-answer.ts', import.meta.url))

test('the example of the README gets an answer', async () => {
  await using server = await startChatServer(mistralChatWire, { apiKey: SECRET })
  const env = { ...process.env, MISTRAL_API_KEY: SECRET, MISTRAL_BASE_URL: server.baseUrl }
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=mnemark-source', '--no-warnings', example], {
    env,
  })
  expect(stdout.trim()).toBe('Noted: Mara moved to Bergen in March. Peter stayed in Oslo. 11')
})

test('the README shows the example as it is', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(example, 'utf8')}\`\`\``)
})
