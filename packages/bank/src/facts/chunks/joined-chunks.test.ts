import { createMemory, documents } from '@mnemark/core'
import type { StoredChunk } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/store-memory'
import { expect, onTestFinished, test } from 'vitest'
import { bankAnnotator } from '../bank-annotator.ts'
import { FactRegistry } from '../fact-registry.ts'
import { joinedChunks } from './joined-chunks.ts'

const sentences = (count: number): string =>
  Array.from({ length: count }, (_, at) => `Sentence ${at} speaks of item${at} and the weather.`).join(' ')

test.each([
  ['shorter than a chunk', sentences(5)],
  ['of two chunks', sentences(40)],
  ['of many chunks', sentences(300)],
  ['of several lines', sentences(40).replaceAll('. ', '.\n  ')],
  [
    'without blanks',
    '码头的渡轮每天早上七点半出发，带自行车要付十一克朗。'.repeat(30).replace(/每天/g, (_, at: number) => `第${at}天`),
  ],
])('a fact %s is read from its chunks as it was written', async (_size, content) => {
  const workspace = documents({ 'memory/2026-03-01.md': `# Day\nRain.\n\n## Retain\n- W @Mara: ${content}\n- B: short\n` })
  const annotators = [bankAnnotator()]
  const memory = await createMemory({ store: createInMemoryStore(), workspace, annotators, caller: { agentId: 'main' } })
  onTestFinished(() => memory.close())
  const facts = await memory.withIndex(async ({ snapshot }) => (await new FactRegistry().read(snapshot)).facts)
  expect(facts.map((fact) => fact.content)).toEqual(expect.arrayContaining([content.replaceAll('\n  ', ' '), 'short']))
})

test.each([
  [
    'lines that both hold stand once',
    [
      [1, 2, 'a\nb'],
      [2, 3, 'b\nc'],
    ],
    'a\nb\nc',
  ],
  [
    'a part of a line that both hold stands once',
    [
      [1, 1, 'a bb '],
      [1, 1, 'bb cc'],
      [1, 2, 'cc dd\ne'],
    ],
    'a bb cc dd\ne',
  ],
  [
    'blank lines between stand',
    [
      [1, 1, 'a'],
      [4, 4, 'a'],
    ],
    'a\n\n\na',
  ],
  [
    'lines that are alike by chance and not the same stand twice',
    [
      [1, 2, 'a\nb'],
      [3, 3, 'b'],
    ],
    'a\nb\nb',
  ],
] as const)('%s', (_case, chunks, text) => {
  const stored = chunks.map(([startLine, endLine, of]) => ({ startLine, endLine, text: of }) as unknown as StoredChunk)
  expect(joinedChunks(stored)).toBe(text)
})
