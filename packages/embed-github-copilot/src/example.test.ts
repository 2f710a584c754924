import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { githubCopilotWire, githubTokenWire, SECRET, startProtocolServer } from '@mnemark/testkit'
import { expect, test } from 'vitest'

const LOGIN = 'gho_loginOfATestAccount0123456789'
const example = fileURLToPath(new URL('../examples/two-texts.ts', import.meta.url))

test('the example of the README embeds two texts', async () => {
  await using copilot = await startProtocolServer(githubCopilotWire, { apiKey: SECRET })
  const wire = githubTokenWire({ tokens: [SECRET], fields: { refresh_in: 1500, endpoints: { api: copilot.origin } } })
  await using github = await startProtocolServer(wire, { apiKey: LOGIN })
  const env = { ...process.env, COPILOT_GITHUB_TOKEN: LOGIN, GITHUB_API_URL: github.origin }
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=mnemark-source', '--no-warnings', example], {
    env,
  })
  expect(stdout.trim()).toBe('[ 512, 512 ] 12')
})

test('the README shows the example as it is, and names the terms', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(example, 'utf8')}\`\`\``)
  expect(readme).toContain('GitHub Terms for Additional Products and Features')
})
