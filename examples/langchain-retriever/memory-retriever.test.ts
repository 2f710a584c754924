import { RunnableLambda } from '@langchain/core/runnables'
import { createMemory, documents } from '@mnemark/core'
import { createInMemoryStore } from '@mnemark/store-memory'
import { beforeAll, expect, test } from 'vitest'
import { MemoryRetriever } from './memory-retriever.ts'

const caller = { agentId: 'main' }
let memory: Awaited<ReturnType<typeof createMemory>>

beforeAll(async () => {
  const notes = documents({
    'home.md': '# Home\n\nThe printer is on VLAN 10.\n',
    'مكتبة.md': 'قَرَّرَ الفريقُ تأجيل الإطلاق أسبوعين.\n',
    '旅行.md': '东京的会议改到星期五。\n',
  })
  memory = await createMemory({ store: createInMemoryStore(), workspace: notes, caller })
  return () => memory.close()
})

test('a hit is a document with its source, lines, score and citation', async () => {
  const [document, ...others] = await new MemoryRetriever({ memory, caller }).invoke('printers')
  expect(others).toEqual([])
  expect(document).toMatchObject({
    id: 'home.md#L1-L3',
    pageContent: expect.stringContaining('The printer is on VLAN 10.'),
    metadata: { source: 'home.md', loc: { lines: { from: 1, to: 3 } }, score: expect.any(Number), citation: 'home.md#L1-L3' },
  })
})

test.each([
  ['اطلاق', 'مكتبة.md'],
  ['会议', '旅行.md'],
])('%s is found in its own script', async (question, source) => {
  const [document] = await new MemoryRetriever({ memory, caller }).invoke(question)
  expect(document?.metadata['source']).toBe(source)
})

test('it is a step of a chain, keeps the limit, and tells tracing products when it starts and ends', async () => {
  const events: string[] = []
  const callbacks = [{ handleRetrieverStart: () => void events.push('start'), handleRetrieverEnd: () => void events.push('end') }]
  const retriever = new MemoryRetriever({ memory, caller, limit: 1 })
  const chain = retriever.pipe(RunnableLambda.from((found: readonly unknown[]) => found.length))
  expect(await chain.invoke('printer 会议', { callbacks })).toBe(1)
  expect(events).toEqual(['start', 'end'])
})

test('nothing found is an empty list', async () => {
  expect(await new MemoryRetriever({ memory, caller }).invoke('zzzz')).toEqual([])
})
