import { type RunOptions, runTask, type TaskResult } from './run-task.ts'
import { type SetResult, setResult } from './set-result.ts'
import type { EvaluationSet } from './tasks/task.ts'

/** Runs the memories of a set one after the other. */
export async function runSet(set: EvaluationSet, options: RunOptions): Promise<SetResult> {
  const startedMs = performance.now()
  const tasks: TaskResult[] = []
  for (const task of set.load()) tasks.push(await runTask(task, options))
  return setResult(set, tasks, (performance.now() - startedMs) / 1000)
}
