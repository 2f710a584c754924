import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemory } from '@mnemark/core'
import { delayStore } from '@mnemark/testkit'
import { openWorkspace } from '@mnemark/workspace'
import { expect, onTestFinished, test } from 'vitest'
import { KeyValueFile } from './key-value-file.ts'
import { createKeyValueStore } from './key-value-store.ts'

const ROOT = join(import.meta.dirname, '../workspace')

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'key-value-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'index.json')
}

test('the example workspace is indexed into a key-value file and searched, also by the next process', () => {
  const file = temporaryFile()
  const program = join(import.meta.dirname, 'search-notes.ts')
  const run = (): string =>
    execFileSync(
      process.execPath,
      ['--conditions=mnemark-source', '--no-warnings', program, ROOT, file, 'which network is the printer on'],
      {
        encoding: 'utf8',
      },
    )
  const first = run()
  expect(first).toMatch(/^memory\/home-network\.md#L/)
  expect(run()).toBe(first)
})

test('a search over it waits six times at most, were it far away', async () => {
  const file = temporaryFile()
  const { source, reader } = await openWorkspace({ root: ROOT })
  const open = async (store = createKeyValueStore(new KeyValueFile(file))) => {
    const memory = await createMemory({ store, sources: [source], reader, settings: { syncOnSearch: false } })
    onTestFinished(() => memory.close())
    return memory
  }
  const question = { text: 'printer network', caller: { agentId: 'main' } }
  await (await open()).search(question)
  const { store, countRoundTrips } = delayStore(createKeyValueStore(new KeyValueFile(file)))
  const memory = await open(store)
  expect(await countRoundTrips(() => memory.search(question))).toBeLessThanOrEqual(6)
})
