import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { nameProvider } from './named-provider.ts'

/** How many texts are sent for a note that holds these texts one after the other. */
async function sentFor(texts: readonly string[], memorySearch: object): Promise<number> {
  const box = new Sandbox({ 'MEMORY.md': 'stays\n' })
  await using provider = await nameProvider(box, memorySearch)
  for (const text of texts) {
    box.write('memory/a.md', `${text}\n`)
    expect((await provider.run('index')).code).toBe(0)
  }
  return provider.sentBeside('stays')
}

const texts = (letters: string): readonly string[] => [...letters].map((letter) => `the letter ${letter}`)

test('a text that comes back costs nothing, the least recently used are forgotten above cache.maxEntries', async () => {
  expect(await sentFor(texts('abca'), {})).toBe(3)
  expect(await sentFor(texts('abcb'), { cache: { maxEntries: 1 } })).toBe(3)
  expect(await sentFor(texts('abca'), { cache: { maxEntries: 1 } })).toBe(4)
})

test('cache.enabled: false keeps no vector of a text that is gone', async () => {
  expect(await sentFor(texts('aba'), { cache: { enabled: false, maxEntries: 10 } })).toBe(3)
  expect(await sentFor(texts('aba'), { cache: { enabled: true } })).toBe(2)
})
