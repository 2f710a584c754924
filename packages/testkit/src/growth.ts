import assert from 'node:assert/strict'

/** Runs of each size; the least time counts, since other work of the machine only adds. */
const RUNS = 3
const TIMES = 4
/** For 4 times the size, linear work takes 4 times as long and quadratic work 16 times; the limit is between. */
const MOST_TIMES = 9
/** Shorter times cannot be measured, and are never quadratic. */
const SHORTEST_MS = 40

/**
 * Fails where four times the size takes far more than four times the CPU time of this thread. Uses no clock, so a busy
 * machine has no effect. `size` should be large enough for quadratic work to take seconds.
 */
export function assertGrowsLinearly(work: (size: number) => unknown, size: number): void {
  work(Math.ceil(size / TIMES))
  const [small, large] = [leastCpuMs(work, Math.ceil(size / TIMES)), leastCpuMs(work, size)]
  if (large < SHORTEST_MS) return
  assert.ok(
    large < MOST_TIMES * Math.max(small, SHORTEST_MS / TIMES),
    `${TIMES} times as much took ${(large / small).toFixed(1)} times as long: ${small.toFixed(0)} and ${large.toFixed(0)} ms of CPU time`,
  )
}

function leastCpuMs(work: (size: number) => unknown, size: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS; run += 1) {
    const before = cpuMicros()
    work(size)
    least = Math.min(least, (cpuMicros() - before) / 1_000)
  }
  return least
}

/** CPU time of this thread where Node reports it, else of the process. */
function cpuMicros(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return user + system
}
