import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chatCompletionsWire, SECRET, startChatServer } from '@mnemark/testkit'
import { expect, test } from 'vitest'

const example = fileURLToPath(new URL('../examples/both-ways.ts', import.meta.url))

test('the example of the README gets answers both ways', async () => {
  await using server = await startChatServer(chatCompletionsWire(), { apiKey: SECRET })
  const env = { ...process.env, OPENAI_API_KEY: SECRET, OPENAI_BASE_URL: server.baseUrl }
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=mnemark-source', '--no-warnings', example], {
    env,
  })
  expect(stdout.trim().split('\n')).toEqual([
    'Noted: Mara moved to Bergen in March. Peter stayed in Oslo.',
    'Noted: Who moved to Bergen? 5',
  ])
})

test('the README shows the example as it is', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(example, 'utf8')}\`\`\``)
})
