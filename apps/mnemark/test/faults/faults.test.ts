import { expect, onTestFinished, test } from 'vitest'
import { KillRounds, TASKS } from './kill-rounds.ts'

// The short form; `pnpm test:faults` is the long one.

test('processes killed at work lose nothing and double nothing: the index ends equal to one built at once', async () => {
  const seed = 20_261_129
  const workspace = new KillRounds(seed)
  onTestFinished(() => workspace.close())
  for (const [number, task] of ([...TASKS, 'merge', 'index', 'append'] as const).entries()) {
    const round = await workspace.run(task, seed + number)
    expect(round.problems, `${task}, seed ${round.seed}, killed after ${round.killedAfterMs} ms`).toEqual([])
  }
})
