import { expect, test } from 'vitest'
import { claudeProblems, geminiProblems, openAIStrictProblems } from '../__fixtures__/vendor-rules.ts'
import { toolDefinitions } from './tool-definitions.ts'
import { toolList } from '../tools/tool-list.ts'

const tools = toolList({ isReadOnly: false })
const plain = toolDefinitions(tools, { citations: 'auto' })
const strict = toolDefinitions(tools, { citations: 'auto' }, { isStrict: true })

test.each(plain)('P73: $name is taken by Gemini, Claude, and OpenAI as it is', ({ name, description, inputSchema }) => {
  expect(name).toMatch(/^[a-z_]{1,64}$/)
  expect(description.length).toBeLessThanOrEqual(1_024)
  expect(geminiProblems(inputSchema)).toEqual([])
  expect(claudeProblems(inputSchema)).toEqual([])
})

test.each(strict)('P73: $name is taken by OpenAI in strict mode, and by Claude in the same form', ({ inputSchema }) => {
  expect(openAIStrictProblems(inputSchema)).toEqual([])
  expect(claudeProblems(inputSchema)).toEqual([])
})

test('P73: the rules catch what used to be there', () => {
  const date = { type: 'object', $schema: 'x', properties: { since: { type: 'string', format: 'date' } } }
  expect(geminiProblems(date)).toEqual(['input: $schema', 'input.since: format'])
  expect(claudeProblems(date)).toEqual(['input: $schema', 'input.since: format'])
  expect(openAIStrictProblems(date)).toEqual([
    'input: $schema',
    'input.since: format',
    'input: since is not required',
    'input: additionalProperties is not false',
  ])
  expect(geminiProblems({ type: 'object', properties: { a: { type: ['string', 'null'] }, b: { type: 'array' } } })).toEqual([
    'input.a: type',
    'input.b: items',
  ])
})
