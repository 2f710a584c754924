import { modelMessageSchema } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAIN, newFolder, sessionsIn } from '../__fixtures__/sessions-folder.ts'
import { contextSize, correctionOf, weigh } from '../tokens/context-size.ts'
import { estimateMessage, IMAGE_TOKENS } from '../tokens/estimate-message.ts'
import type { SessionMessage } from '../transcript/entry.ts'
import { answerCalls, type RequestMessage } from './answer-calls.ts'
import { toAISDK, toAnthropic, toOpenAI } from './shapes.ts'

const call = (id: string): SessionMessage => calls(id)
function calls(...ids: readonly string[]): SessionMessage {
  return { role: 'assistant', content: ids.map((id) => ({ type: 'toolCall', id, name: 'look', arguments: { id } })) }
}
function result(toolCallId: string, content = 'found'): SessionMessage {
  return { role: 'toolResult', toolCallId, toolName: 'look', content }
}

/** Each call must be answered exactly once, directly behind its message, and by nothing else. */
function faultsOf(messages: readonly RequestMessage[]): readonly string[] {
  const faults: string[] = []
  const seen = new Set<string>()
  let due: string[] = []
  for (const { role, content, toolCallId = '' } of messages) {
    if (role === 'toolResult') {
      if (due.shift() !== toolCallId) faults.push(`result ${toolCallId} out of place`)
      continue
    }
    faults.push(...due.map((id) => `call ${id} unanswered`))
    due = role === 'assistant' ? content.flatMap((block) => (block.type === 'toolCall' ? [block.id] : [])) : []
    faults.push(...due.filter((id) => seen.has(id)).map((id) => `id ${id} twice`))
    for (const id of due) seen.add(id)
    if (content.length === 0) faults.push(`an empty ${role} message`)
  }
  return [...faults, ...due.map((id) => `call ${id} unanswered`)]
}

test('parallel calls that a time-out left open are closed as interrupted, also where they were retried', () => {
  const built = answerCalls([
    { role: 'user', content: 'go' },
    calls('c1', 'c2', 'c3'),
    result('c2'),
    { role: 'user', content: 'and?' },
    calls('c1', 'c2', 'c3'),
    result('c9'),
  ])
  expect(faultsOf(built)).toEqual([])
  expect(built.map(({ toolCallId, isError }) => (toolCallId === undefined ? '' : `${toolCallId} ${isError}`))).toEqual([
    '',
    '',
    'c1 true',
    'c2 false',
    'c3 true',
    '',
    '',
    'c1_2 true',
    'c2_2 true',
    'c3_2 true',
  ])
})

const MESSAGE: fc.Arbitrary<SessionMessage> = fc.oneof(
  fc.constantFrom<SessionMessage>(
    { role: 'user', content: 'hello' },
    { role: 'system', content: 'rules' },
    { role: 'assistant', content: '' },
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }] },
    { role: 'assistant', content: 'done' },
    { role: 'user', content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }], speaker: 'Huda' },
  ),
  fc.array(fc.constantFrom('a', 'b', 'c', 'd|1', 'a_2'), { minLength: 1, maxLength: 4 }).map((ids) => calls(...ids)),
  fc.constantFrom('a', 'b', 'c', 'd|1', 'x').map((id) => result(id)),
)

test('whatever was stored, every built context is one that every service takes', () => {
  fc.assert(
    fc.property(fc.array(MESSAGE, { maxLength: 30 }), (messages) => {
      const built = answerCalls(messages)
      expect(faultsOf(built)).toEqual([])
      for (const message of toAISDK(built)) expect(modelMessageSchema.safeParse(message).success).toBe(true)
      expect(anthropicFaults(toAnthropic(built).messages)).toEqual([])
      expect(openAIFaults(toOpenAI(built))).toEqual([])
    }),
    { numRuns: 500 },
  )
})

type Json = Readonly<Record<string, unknown>>

function anthropicFaults(messages: readonly Json[]): readonly string[] {
  return messages.flatMap(({ role, content }, index) => {
    const blocks = content as readonly Json[]
    const before = (messages[index - 1]?.['content'] ?? []) as readonly Json[]
    const asked = before.filter(({ type }) => type === 'tool_use').map(({ id }) => String(id))
    const answered = blocks.filter(({ type }) => type === 'tool_result').map((block) => String(block['tool_use_id']))
    return [
      ...(role === (index % 2 === 0 ? 'user' : 'assistant') ? [] : [`${index} is of ${String(role)}`]),
      ...(blocks.length === 0 ? [`${index} is empty`] : []),
      ...(asked.join() === answered.join() ? [] : [`${index} answers ${answered.join()} to ${asked.join()}`]),
    ]
  })
}

function openAIFaults(messages: readonly Json[]): readonly string[] {
  let due: string[] = []
  return messages.flatMap((message, index) => {
    if (message['role'] === 'tool') return due.shift() === message['tool_call_id'] ? [] : [`${index} answers nothing`]
    const open = due.map((id) => `${id} is open`)
    due = ((message['tool_calls'] ?? []) as readonly Json[]).map(({ id }) => String(id))
    return open
  })
}

test('one conversation in three shapes', () => {
  const built = answerCalls([
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'hi', speaker: 'Huda' },
    { role: 'assistant', content: [{ type: 'text', text: 'Looking.' }, ...(call('c|1').content as [])] },
    result('c|1', '3 files'),
  ])
  expect(toOpenAI(built)).toEqual([
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Huda: hi' },
    {
      role: 'assistant',
      content: 'Looking.',
      tool_calls: [{ id: 'c|1', type: 'function', function: { name: 'look', arguments: '{"id":"c|1"}' } }],
    },
    { role: 'tool', tool_call_id: 'c|1', content: '3 files' },
  ])
  expect(toAnthropic(built)).toEqual({
    system: 'Be kind.',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Huda: hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Looking.' },
          { type: 'tool_use', id: 'c_1', name: 'look', input: { id: 'c|1' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c_1', content: [{ type: 'text', text: '3 files' }] }] },
    ],
  })
  expect(toAISDK(built).at(-1)).toEqual({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c|1', toolName: 'look', output: { type: 'text', value: '3 files' } }],
  })
})

const PICTURE = `data:image/png;base64,${'iVBORw0KGgo'.repeat(380_000)}`

test('a picture costs what a picture costs, wherever its bytes stand, and is still there', () => {
  const asked: SessionMessage = { role: 'user', content: `${PICTURE} what is this?` }
  expect(estimateMessage(asked)).toBeLessThan(IMAGE_TOKENS + 20)
  const [built] = answerCalls([asked])
  expect(built?.content.map(({ type }) => type)).toEqual(['image', 'text'])
  const found = answerCalls([call('c1'), result('c1', `{"png":"${PICTURE.slice(22)}"}`)])
  expect(JSON.stringify(found)).toContain('left out, 3135000 bytes')
  expect(JSON.stringify(found).length).toBeLessThan(1_000)
})

test('forty-five pictures fill a window of fifty thousand tokens, one does not', async () => {
  const sessions = await sessionsIn(newFolder())
  const session = await sessions.openSession(MAIN)
  await session.append({ role: 'user', content: `${PICTURE} what is this?` })
  expect((await session.context({ window: 50_000 })).size.tokens).toBeLessThan(1_300)
  const small = [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] as const
  await session.append(Array.from({ length: 44 }, () => ({ role: 'user', content: small })))
  expect((await session.context({ window: 50_000 })).size.tokens).toBe(50_000)
})

test('cache reads summed over a turn are no size of a context', async () => {
  const sessions = await sessionsIn(newFolder())
  const session = await sessions.openSession(MAIN)
  const usage = { input: 12, output: 15_104, cacheRead: 819_661, cacheWrite: 93_130 }
  await session.append([
    { role: 'user', content: 'go' },
    { role: 'assistant', content: 'done', usage: { ...usage, totalTokens: 163_978 } },
  ])
  expect((await session.context({ window: 300_000 })).size).toMatchObject({ tokens: 163_978, isMeasured: true })
  await session.append({ role: 'assistant', content: 'again', usage })
  expect((await session.context({ window: 300_000 })).size.tokens).toBeLessThan(164_100)
  expect(session.counters).toMatchObject({ context: 163_978, totals: [24, 30_208, 1_639_322, 186_260] })
  const other = await sessions.openSession('agent:main:t:direct:1')
  await other.append({ role: 'assistant', content: 'done', usage })
  expect((await other.context({ window: 300_000 })).size).toMatchObject({ isMeasured: false })
  await other.append({ role: 'assistant', content: 'x', usage: { totalTokens: 900_000 } })
  expect((await other.context({ window: 300_000 })).size.tokens).toBeLessThan(1_000)
})

test('the estimate is corrected by what a service reports between two requests, within bounds', () => {
  const turn = (measured: number | null, text: string) => ({ ...weigh({ role: 'user', content: text }), measured })
  const text = 'some words of a conversation '.repeat(40)
  const tokens = weigh({ role: 'user', content: text }).tokens
  const at = (factor: number) => correctionOf([turn(10_000, 'x'), turn(Math.round(10_000 + tokens * factor), text)])
  expect(at(1.5)).toBeCloseTo(1.5, 1)
  expect([at(9), at(0.1)]).toEqual([2, 0.5])
  expect(correctionOf([turn(10_000, 'x'), turn(11_000, 'y')])).toBe(1)
  const { tokens: size } = contextSize([turn(10_000, 'x'), turn(Math.round(10_000 + tokens * 2), text), turn(null, text)], {})
  expect(size).toBeGreaterThan(10_000 + tokens * 3.9)
})

test('short runs and links stay words', () => {
  const message: SessionMessage = {
    role: 'user',
    content: `see https://example.org/${'a'.repeat(200)} and base64, or ;base64, alone`,
  }
  expect(answerCalls([message])[0]?.content).toEqual([{ type: 'text', text: message.content }])
})
