import { readFileSync } from 'node:fs'
import { estimateTokens } from '@mnemark/core'
import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { connect, wordsOf } from '../harness/mcp-clients.ts'

const PLACES = ['hall', 'attic', 'cellar', 'garage', 'kitchen', 'study', 'garden', 'loft']
const NOTES = Object.fromEntries(
  PLACES.map((place, index) => [
    `memory/2026-03-${index + 10}.md`,
    `# The ${place}\n\n${`About the ${place}: ${place} wall, ${place} floor. `.repeat(index + 1)}\n\n- The router stands in the ${place}.\n`,
  ]),
)
const LIST_MOST = 1_500
const ANSWER_MOST = 900

test('P70: the list of tools and an answer of six hits cost a model what docs/mcp.md says', async () => {
  const client = await connect('stdio', new Sandbox({ 'MEMORY.md': '# Memory\n', ...NOTES }))
  const { tools } = await client.listTools()
  const list = estimateTokens(JSON.stringify(tools))
  const words = wordsOf(await client.callTool({ name: 'memory_search', arguments: { query: 'where is the router', limit: 6 } }))
  expect(words.match(/^> \[\d\] /gm)).toHaveLength(6)
  const snippets = words.split('\n').filter((line) => /^> (?:#|About|- |$)/.test(line))
  const around = estimateTokens(words) - estimateTokens(snippets.join('\n'))
  expect(list).toBeLessThan(LIST_MOST)
  expect(around).toBeLessThan(ANSWER_MOST)
  const page = readFileSync(new URL('../../../../docs/mcp.md', import.meta.url), 'utf8')
  expect(page.match(/^\| the list of tools .*$|^\| around six hits.*$/gm)).toEqual([
    `| the list of tools | 1,191 (three tools) | ${list.toLocaleString('en')} (six tools) |`,
    expect.stringMatching(new RegExp(`\\| ${around} \\|$`)),
  ])
})
