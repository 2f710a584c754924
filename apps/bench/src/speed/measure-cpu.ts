export interface Cost {
  readonly wallMs: number
  readonly cpuMs: number
}

/** CPU milliseconds of this process so far, all threads. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [wall, cpu] = [performance.now(), cpuMs()]
  await work()
  return { wallMs: performance.now() - wall, cpuMs: cpuMs() - cpu }
}
