import { type Metrics, meanMetrics } from './metrics.ts'
import type { QuestionResult, TaskResult } from './run-task.ts'
import type { EvaluationSet, Split } from './tasks/task.ts'

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

/** The memories of a set as one; every question counts the same. */
export function setResult({ name, language, split }: EvaluationSet, tasks: readonly TaskResult[], seconds: number): SetResult {
  const questions = tasks.flatMap((task) => task.questions)
  return {
    name,
    language,
    split,
    units: tasks.reduce((sum, { units }) => sum + units, 0),
    questions: questions.length,
    metrics: meanMetrics(questions.map(({ metrics }) => metrics)),
    byType: byType(questions),
    seconds,
  }
}
