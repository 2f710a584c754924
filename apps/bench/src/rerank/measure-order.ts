import { createMemory } from '@mnemark/core'
import { AnswerKey } from '../quality/tasks/answer-key.ts'
import { meanMetrics, type Metrics } from '../quality/metrics.ts'
import { ask, memoryOptions, openStore, someQuestions } from '../quality/tasks/task-memory.ts'
import type { EvaluationSet, Task } from '../quality/tasks/task.ts'
import { ScriptedOracle } from './scripted-oracle.ts'

/** Shares of wrong judgements: none is the ceiling, half is a coin. */
export const ERROR_SHARES = [0, 0.1, 0.25, 0.5] as const

export interface OrderFigures {
  readonly name: string
  readonly questions: number
  /** Without a reranker, then one for each of `ERROR_SHARES`. */
  readonly metrics: readonly Metrics[]
}

async function runTask(task: Task, every: number): Promise<readonly (readonly Metrics[])[]> {
  const store = await openStore('memory')
  const opened: { close(): Promise<void> }[] = [store]
  try {
    const plain = await createMemory(memoryOptions(task, { store }))
    await plain.sync()
    const key = await AnswerKey.of(store)
    const oracles = await Promise.all(ERROR_SHARES.map((share) => ScriptedOracle.of(store, share)))
    const judged = await Promise.all(
      oracles.map((reranker) => createMemory({ ...memoryOptions(task, { store }), sources: [], reranker })),
    )
    const rows: (readonly Metrics[])[] = []
    for (const question of someQuestions(task, every)) {
      for (const oracle of oracles) oracle.prepare(question)
      const scores: Metrics[] = []
      for (const memory of [plain, ...judged]) scores.push(key.score(question, (await ask(memory, question)).hits))
      rows.push(scores)
    }
    return rows
  } finally {
    for (const each of opened) await each.close()
  }
}

/** Measures the order of a scripted oracle on the hits of one set, keywords alone: no model does as well. */
export async function measureOrder(set: EvaluationSet, every: number): Promise<OrderFigures> {
  const rows: (readonly Metrics[])[] = []
  for (const task of set.load()) rows.push(...(await runTask(task, every)))
  const columns = [undefined, ...ERROR_SHARES]
  const metrics = columns.map((_, at) => meanMetrics(rows.flatMap((row) => row[at] ?? [])))
  return { name: set.name, questions: rows.length, metrics }
}
