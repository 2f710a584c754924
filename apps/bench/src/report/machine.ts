import { availableParallelism, loadavg, totalmem } from 'node:os'

/** Where figures come from, named so that nothing tells whose machine it was. */
export interface Machine {
  readonly name: string
  readonly node: string
  /** Average number of running processes over the last minute: above the number of cores, wall times are too long. */
  readonly load: number
}

export function describeMachine(): Machine {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  return {
    name: `${availableParallelism()}-core machine, ${gigabytes} GiB`,
    node: process.version,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}

/** One line under a table: when, where, on what. */
export function provenance(machine: Machine, command: string): string {
  const day = new Date().toISOString().slice(0, 10)
  return `Measured ${day} with \`${command}\` on a ${machine.name} (Node ${machine.node.slice(1)}, load ${machine.load}).`
}
