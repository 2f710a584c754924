import { setTimeout as sleep } from 'node:timers/promises'
import { createMemory } from '@mnemark/core'
import type { Reranker } from '@mnemark/spec'
import { makeVault } from '../names/named-vault.ts'
import { memoryOptions, openStore } from '../quality/tasks/task-memory.ts'
import { type Spread, spreadOf } from '../speed/statistics.ts'

export interface LatencyFigures {
  readonly notes: number
  readonly searches: number
  readonly withoutMs: Spread
  readonly withMs: Spread
  /** Time of each search beyond that of the same search without a reranker. */
  readonly addedMs: Spread
}

/** Answers after so many milliseconds, in the given order. */
function slowReranker(ms: number): Reranker {
  return {
    specVersion: 'v1',
    provider: 'bench',
    model: `${ms} ms`,
    traits: { isLocal: true },
    rerank: async ({ passages }) => {
      await sleep(ms)
      return passages.map((_, index) => -index)
    },
  }
}

/** Wall times of the same searches with and without a reranker that takes `ms`, over a made-up vault in SQLite. */
export async function measureLatency(ms: number, searches: number): Promise<LatencyFigures> {
  const vault = makeVault('en', 40)
  const store = await openStore('sqlite')
  const task = { name: vault.name, notes: vault.notes, questions: [], settings: {} }
  // The wall clock, not the CPU time that other benchmarks count: waiting for a reranker takes none.
  const { now: _, ...options } = memoryOptions(task, { store })
  const memory = await createMemory({ ...options, reranker: slowReranker(ms) })
  try {
    await memory.sync()
    const timed = async (text: string, rerank: boolean): Promise<number> => {
      const startedMs = performance.now()
      await memory.search({ text, limit: 10, caller: { agentId: 'main' }, overrides: { rerank } })
      return performance.now() - startedMs
    }
    const asked = vault.questions.filter((_question, at) => at % 2 === 0).slice(0, searches)
    // An unmeasured round first, because it reads what later searches find in memory.
    for (const { text } of asked) await timed(text, false)
    const times: { readonly without: number; readonly reranked: number }[] = []
    for (const { text } of asked) times.push({ without: await timed(text, false), reranked: await timed(text, true) })
    return {
      notes: vault.notes.length,
      searches: times.length,
      withoutMs: spreadOf(times.map(({ without }) => without)),
      withMs: spreadOf(times.map(({ reranked }) => reranked)),
      addedMs: spreadOf(times.map(({ without, reranked }) => reranked - without)),
    }
  } finally {
    await memory.close()
  }
}
