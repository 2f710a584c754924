import assert from 'node:assert/strict'

/** Each size is measured so often; the least counts, since what else a machine does only adds. */
const RUNS = 3
const TIMES = 4
/** Work that grows with its size takes 4 times as much for 4 times the size, work that grows with its square 16 times. */
const MOST_TIMES = 9
/** Less than this is too short to be measured, and never the beginning of a square. */
const SHORTEST_MS = 40

/**
 * Fails where work on four times as much takes far more than four times the processor's time of this thread. No clock is watched, so that a busy
 * machine changes nothing. `size` should be large enough that work growing with its square would take seconds.
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

/** Of this thread where Node tells, else of the process. */
function cpuMicros(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return user + system
}
