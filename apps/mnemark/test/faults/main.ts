// `pnpm test:faults [ROUNDS] [SEED]`: kills processes at random moments and looks at what is left, round after round.
import { runBatchFaults } from './batch-main.ts'
import { killFills } from './fill-rounds.ts'
import { KillRounds, TASKS } from './kill-rounds.ts'
import type { Round } from './kill-rounds.ts'

const rounds = Number(process.argv[2] ?? 200)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
console.log(`${rounds} rounds, seed ${seed}`)

const done: Round[] = []
const workspace = new KillRounds(seed)
for (let number = 0; number < rounds; number++) {
  const task = TASKS[number % TASKS.length] ?? 'index'
  const round = await workspace.run(task, seed + number)
  done.push(round)
  const when = round.killedAfterMs === null ? 'done before the kill' : `killed after ${round.killedAfterMs} ms`
  if (round.problems.length > 0) console.log(`${task}, seed ${round.seed}, ${when}:\n  ${round.problems.join('\n  ')}`)
  if ((number + 1) % 20 === 0) console.log(`${number + 1} rounds`)
}
workspace.close()

for (const task of TASKS) {
  const own = done.filter((round) => round.task === task)
  const killed = own.filter(({ killedAfterMs }) => killedAfterMs !== null).length
  console.log(`${task.padEnd(8)} ${own.length} rounds, ${killed} killed at work`)
}
const failed = done.filter(({ problems }) => problems.length > 0).length
console.log(failed === 0 ? 'no loss, no double, every index equal to a clean build' : `${failed} rounds failed`)
const fills = await killFills({ texts: 800, kills: 20, seed })
console.log(`vectors  800 texts, ${fills.killed} processes killed at filling, ${fills.sentAgain} texts in flight sent again`)
for (const problem of fills.problems) console.log(`  ${problem}`)
const isBatchSound = await runBatchFaults(seed)
process.exitCode = failed + fills.problems.length === 0 && isBatchSound ? 0 : 1
