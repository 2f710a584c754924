import { generateText, isStepCount, jsonSchema, type ModelMessage, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { ProviderError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { MAIN, newFolder, sessionsIn } from '../__fixtures__/sessions-folder.ts'
import { messagesFromAISDK } from './from-ai-sdk.ts'
import { isContextOverflow } from './is-context-overflow.ts'
import { toAISDK } from './shapes.ts'

type Answer = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>

function answer(content: Answer['content'], tokens: number): Answer {
  const usage = {
    inputTokens: { total: tokens, noCache: 10, cacheRead: tokens - 10, cacheWrite: 0 },
    outputTokens: { total: 5, text: 5, reasoning: 0 },
  }
  const unified = content[0]?.type === 'tool-call' ? 'tool-calls' : 'stop'
  return { content, finishReason: { unified, raw: unified }, usage, warnings: [] }
}

test('replies of the AI SDK, tools and all, go into a transcript and out into the next request', async () => {
  const call: Answer['content'] = [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'look', input: '{"for":"milk"}' }]
  const answers = [
    answer(call, 100),
    answer([{ type: 'text', text: 'Milk is there.' }], 150),
    answer(call, 300),
    answer([{ type: 'text', text: 'Still.' }], 350),
  ]
  const model = new MockLanguageModelV4({ doGenerate: async () => answers.shift() ?? answer([], 0) })
  const look = tool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => 'one bottle' })
  const session = await (await sessionsIn(newFolder())).openSession(MAIN)
  for (const text of ['is there milk?', 'and now?']) {
    await session.append({ role: 'user', content: text })
    const { context } = await session.nextContext({ window: 100_000 })
    // Valid by the schema of the AI SDK, which another test holds them against.
    const messages = toAISDK(context.messages) as unknown as ModelMessage[]
    const result = await generateText({ model, messages, tools: { look }, stopWhen: isStepCount(3) })
    await session.append(
      messagesFromAISDK(result.responseMessages, { total: result.usage, last: result.finalStep.usage, model: 'mock' }),
    )
  }
  const stored = []
  for await (const { message } of session.messages()) stored.push(message.role)
  expect(stored).toEqual(['user', 'assistant', 'toolResult', 'assistant', 'user', 'assistant', 'toolResult', 'assistant'])
  expect(session.counters).toMatchObject({ totals: [40, 20, 860, 0], context: 355 })
  const asked = JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)
  expect(asked.match(/one bottle/gu)).toHaveLength(2)
  const ids = (await session.context()).messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'toolCall' ? [block.id] : [])),
  )
  expect(ids).toEqual(['call-1', 'call-1_2'])
})

test('results that failed, and outputs that are no text, are kept as what they are', () => {
  const result = (output: object): object => ({ type: 'tool-result', toolCallId: 'c', toolName: 'look', output })
  const content = [
    result({ type: 'json', value: { a: 1 } }),
    result({ type: 'error-text', value: 'no' }),
    result({ type: 'execution-denied', reason: 'never' }),
  ]
  expect(messagesFromAISDK([{ role: 'tool', content }]).map((message) => [message.content, message.isError])).toEqual([
    ['{"a":1}', undefined],
    ['no', true],
    ['"never"', true],
  ])
})

test.each([
  [Object.assign(new Error("This model's maximum context length is 8192 tokens."), { statusCode: 400 }), true],
  [
    Object.assign(new Error('Bad Request'), {
      statusCode: 400,
      responseBody: '{"error":{"message":"prompt is too long: 210000 tokens"}}',
    }),
    true,
  ],
  [Object.assign(new Error('Payload'), { status: 413 }), true],
  [new ProviderError('input-too-long', 'x', { provider: 'p' }), true],
  [new ProviderError('auth', 'context length', { provider: 'p' }), false],
  [Object.assign(new Error('invalid key for the context window'), { statusCode: 401 }), false],
  [Object.assign(new Error('tools.0.name: invalid'), { statusCode: 400 }), false],
  ['context length', false],
])('an error is taken for an overflow by what it says: %s', (error, expected) => expect(isContextOverflow(error)).toBe(expected))
