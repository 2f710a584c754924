import { bankAnnotator, createRecall } from '@mnemark/bank'
import { createMemory } from '@mnemark/core'
import { AnswerKey } from '../quality/tasks/answer-key.ts'
import { meanMetrics, type Metrics } from '../quality/metrics.ts'
import type { EvaluationSet } from '../quality/tasks/task.ts'
import { ask, memoryOptions, openStore, someQuestions } from '../quality/tasks/task-memory.ts'
import { citedLines } from '../report/cited-lines.ts'

/** Search and recall on the same questions, over the same index. */
export interface RecallFigures {
  readonly name: string
  readonly questions: number
  readonly search: Metrics
  readonly recall: Metrics
}

/** Asks every so manyth question of a set both ways, ten hits or passages each. A set without a question of the types gives null. */
export async function measureRecall(
  set: EvaluationSet,
  { every, types }: { readonly every: number; readonly types?: ReadonlySet<string> },
): Promise<RecallFigures | null> {
  const [searched, recalled]: [Metrics[], Metrics[]] = [[], []]
  for (const task of set.load()) {
    const store = await openStore('memory')
    const options = memoryOptions(task, { store })
    const memory = await createMemory({ ...options, annotators: [bankAnnotator()] })
    try {
      await memory.sync()
      const key = await AnswerKey.of(store)
      const recall = createRecall({ memory, now: options.now, timeZone: 'UTC' })
      for (const question of someQuestions(task, every)) {
        if (types !== undefined && !types.has(question.type)) continue
        const { hits } = await ask(memory, question)
        const { facts } = await recall({ text: question.text, limit: 10, budgetTokens: 100_000 })
        searched.push(key.score(question, hits))
        recalled.push(
          key.score(
            question,
            facts.flatMap(({ source }) => citedLines(source)),
          ),
        )
      }
    } finally {
      await memory.close()
    }
  }
  if (searched.length === 0) return null
  return { name: set.name, questions: searched.length, search: meanMetrics(searched), recall: meanMetrics(recalled) }
}
