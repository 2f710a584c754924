import { expect, test } from 'vitest'
import { batchFile } from './batch-file.ts'

const LIMITS = { maxRequests: 3, maxBytes: 100, minRequests: 1 }
const line = ({ id, text }: { readonly id: string; readonly text: string }) => ({ id, text })

async function* items(...texts: readonly string[]) {
  for (const [index, text] of texts.entries()) yield { id: `id-${index}`, input: { type: 'text', text } as const }
}

test('a line for each text, and a lone surrogate does not go out', async () => {
  const file = await batchFile(items('one', 'two \ud83d'), { limits: LIMITS, line })
  expect(await file.text()).toBe('{"id":"id-0","text":"one"}\n{"id":"id-1","text":"two \ufffd"}\n')
})

test.for<readonly [string, readonly string[], string]>([
  ['too many texts', ['a', 'b', 'c', 'd'], 'more than 3 texts'],
  ['too many bytes', ['ж'.repeat(60)], 'larger than 100 bytes'],
  ['no text', [], 'at least 1'],
])('%s are refused', async ([, texts, words]) => {
  await expect(batchFile(items(...texts), { limits: LIMITS, line })).rejects.toThrow(words)
})

test('many texts of many pieces come out whole and in order', async () => {
  const texts = Array.from({ length: 3_000 }, (_, index) => `${index} ${'x'.repeat(300)}`)
  const file = await batchFile(items(...texts), { limits: { ...LIMITS, maxRequests: 5_000, maxBytes: 10_000_000 }, line })
  const lines = (await file.text()).trimEnd().split('\n')
  expect(lines.map((text) => JSON.parse(text).text)).toEqual(texts)
})
