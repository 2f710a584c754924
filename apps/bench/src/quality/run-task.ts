import { createTunedMemory } from '@mnemark/core/tuning'
import { AnswerKey } from './tasks/answer-key.ts'
import type { Metrics } from './metrics.ts'
import type { Question, Task } from './tasks/task.ts'
import { ask, memoryOptions, openStore, someQuestions, type StoreKind } from './tasks/task-memory.ts'
import type { Variant } from './variants.ts'

export interface RunOptions {
  readonly store: StoreKind
  readonly variant: Variant
  /** Asks the first question and every so manyth after it; 1 asks all. */
  readonly every: number
}
export interface QuestionResult extends Pick<Question, 'id' | 'type'> {
  readonly metrics: Metrics
}
export interface TaskResult {
  readonly units: number
  readonly questions: readonly QuestionResult[]
}

/** Indexes the notes of one task and asks its questions, ten hits each, with the product's own pipeline. */
export async function runTask(task: Task, { store: kind, variant, every }: RunOptions): Promise<TaskResult> {
  const store = await openStore(kind)
  const memory = await createTunedMemory(memoryOptions(task, { store, settings: variant.settings }), variant.tuning)
  try {
    const report = await memory.sync()
    const key = await AnswerKey.of(store)
    const questions: QuestionResult[] = []
    for (const question of someQuestions(task, every)) {
      const { hits } = await ask(memory, question)
      const { id, type } = question
      questions.push({ id, type, metrics: key.score(question, hits) })
    }
    return { units: report.chunks, questions }
  } finally {
    await memory.close()
  }
}
