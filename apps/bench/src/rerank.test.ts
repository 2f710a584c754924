import { execFileSync, spawnSync } from 'node:child_process'
import { createInMemoryStore } from '@mnemark/testkit'
import { createMemory } from '@mnemark/core'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ScriptedOracle } from './rerank/scripted-oracle.ts'
import { memoryOptions } from './quality/tasks/task-memory.ts'

const SCRIPT = join(import.meta.dirname, 'rerank.ts')
const args = (...more: readonly string[]) => ['--conditions=mnemark-source', SCRIPT, ...more]

test('without data it measures what a reranker adds in time, and says what is skipped', () => {
  const env = { ...process.env, MNEMARK_EVAL_DATA: '' }
  const output = execFileSync(process.execPath, args('--searches', '3'), { encoding: 'utf8', env })
  expect(output).toMatch(/^added +\d+\.\d +\d+\.\d +\d+\.\d$/m)
  expect(output).toContain('is skipped')
})

test('the oracle puts the answer first, and one that is always wrong puts it last', async () => {
  const texts = {
    attic: 'The router stands up here.',
    cellar: 'Wine, and an old router.',
    garden: 'No router reaches the trees.',
  }
  // What is hidden in a note is left out of passages.
  const notes = Object.entries(texts).map(([name, text]) => ({
    path: `${name}.md`,
    text: `# ${name}\n\n${text} <!-- ${name} -->\n`,
  }))
  const store = createInMemoryStore()
  const task = { name: 'test', notes, questions: [], settings: {} }
  const plain = await createMemory(memoryOptions(task, { store }))
  await plain.sync()
  for (const [wrong, place] of [
    [0, 0],
    [1, 2],
  ] as const) {
    const reranker = await ScriptedOracle.of(store, wrong)
    const memory = await createMemory({ ...memoryOptions(task, { store }), reranker })
    for (const { path } of notes) {
      reranker.prepare({ gold: [{ path, line: 3 }] })
      const { hits } = await memory.search({ text: 'router', caller: { agentId: 'main' } })
      expect(hits[place]?.path).toBe(path)
    }
  }
  await plain.close()
})

test('bad use is one message and exit code 2', () => {
  for (const given of [['--every', '0'], ['--searches', 'x'], ['--unknown']]) {
    const result = spawnSync(process.execPath, args(...given), { encoding: 'utf8' })
    expect(result.status).toBe(2)
    expect(result.stderr).not.toContain('    at ')
  }
})
