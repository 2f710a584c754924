import { type Metrics, meanMetrics } from './metrics.ts'
import { type QuestionResult, type RunOptions, runTask } from './run-task.ts'
import type { EvaluationSet, Split } from './task.ts'

export interface SetResult {
  readonly name: string
  readonly language: string
  readonly split: Split
  readonly units: number
  readonly questions: number
  readonly metrics: Metrics
  /** The same by type of question. */
  readonly byType: Readonly<Record<string, { readonly questions: number; readonly metrics: Metrics }>>
  readonly seconds: number
}

function byType(results: readonly QuestionResult[]): SetResult['byType'] {
  const groups = Map.groupBy(results, ({ type }) => type)
  return Object.fromEntries(
    [...groups].map(([type, own]) => [type, { questions: own.length, metrics: meanMetrics(own.map(({ metrics }) => metrics)) }]),
  )
}

/** Runs the memories of a set one after the other; every question counts the same. */
export async function runSet(set: EvaluationSet, options: RunOptions): Promise<SetResult> {
  const startedMs = performance.now()
  let units = 0
  const questions: QuestionResult[] = []
  for (const task of set.load()) {
    const result = await runTask(task, options)
    units += result.units
    questions.push(...result.questions)
  }
  return {
    name: set.name,
    language: set.language,
    split: set.split,
    units,
    questions: questions.length,
    metrics: meanMetrics(questions.map(({ metrics }) => metrics)),
    byType: byType(questions),
    seconds: (performance.now() - startedMs) / 1000,
  }
}
