import { randomUUID } from 'node:crypto'
import type { Lease, LeaseName } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'
import { pause, pollDelayMs } from '../connection/busy-retry.ts'
import type { Connection } from '../connection/connection.ts'
import type { Connections } from '../file/connections.ts'
import { isKnownDead, ownIdentity } from '../connection/process-identity.ts'

/** Time without a heartbeat after which a holder counts as gone, whatever else is known. */
const STALE_AFTER_MS = 60_000
/** Each write of a holder counts as a heartbeat, which is stored at most this often. */
const RENEW_AFTER_MS = 10_000

interface LeaseRow {
  readonly owner: string
  readonly host: string
  readonly pid: number
  readonly process_start: string | null
  readonly renewed_at_ms: number
}

const SELECT = 'SELECT owner, host, pid, process_start, renewed_at_ms FROM leases WHERE name = ?'

/** The leases of one store: rows that name a process, and that others take over when the process is gone. */
export class Leases {
  readonly #connections: Connections
  readonly #nowMs: () => number
  readonly #held = new Map<string, Lease>()
  /** Time of the last heartbeat in the row, by owner. */
  readonly #heard = new Map<string, number>()

  constructor(connections: Connections, nowMs: () => number) {
    this.#connections = connections
    this.#nowMs = nowMs
  }

  /** Null when `signal` ends first; rejects with `closed` when `closing` does. */
  async acquire(name: LeaseName, signal: AbortSignal | undefined, closing: AbortSignal): Promise<Lease | null> {
    const ended = signal ? AbortSignal.any([signal, closing]) : closing
    for (let attempt = 0; !signal?.aborted; attempt++) {
      if (closing.aborted) throw new StoreError('closed', 'The store was closed while it waited for a lease.')
      const lease = await this.#tryTake(name)
      if (lease) return lease
      await pause(pollDelayMs(attempt), ended)
    }
    return null
  }

  /** Call it inside the write transaction that needs the lease. */
  assertHeld(connection: Connection, lease: Lease, needed?: LeaseName): void {
    if (needed !== undefined && lease.name !== needed) {
      throw new StoreError('lease-held', `This needs the ${needed} lease, not the ${lease.name} lease.`)
    }
    const row = connection.row<LeaseRow>(SELECT, lease.name)
    if (row?.owner !== lease.owner) throw notHeld(lease)
    if (this.#isOld(row.renewed_at_ms)) this.#renew(connection, lease)
  }

  /** Whether a working holder should write, so that it does not count as gone. */
  isDue(lease: Lease): boolean {
    return this.#isOld(this.#heard.get(lease.owner) ?? this.#nowMs())
  }

  #isOld(renewedAtMs: number): boolean {
    return Math.abs(this.#nowMs() - renewedAtMs) > RENEW_AFTER_MS
  }

  async releaseAll(): Promise<void> {
    for (const lease of this.#held.values()) await this.#release(lease)
  }

  async #tryTake(name: LeaseName): Promise<Lease | null> {
    // Reading first keeps a waiting process from taking the write lock again and again.
    const row = await this.#connections.direct((connection) => connection.row<LeaseRow>(SELECT, name))
    if (row && !this.#isStale(row)) return null
    const lease = this.#create(name)
    const isTaken = await this.#connections.write((connection) => this.#take(connection, lease))
    if (!isTaken) return null
    this.#held.set(lease.owner, lease)
    this.#heard.set(lease.owner, this.#nowMs())
    return lease
  }

  #take(connection: Connection, lease: Lease): boolean {
    const row = connection.row<LeaseRow>(SELECT, lease.name)
    if (row && !this.#isStale(row)) return false
    const { host, pid, start } = ownIdentity()
    connection.run(
      'INSERT OR REPLACE INTO leases (name, owner, host, pid, process_start, renewed_at_ms) VALUES (?, ?, ?, ?, ?, ?)',
      lease.name,
      lease.owner,
      host,
      pid,
      start,
      this.#nowMs(),
    )
    return true
  }

  #isStale(row: LeaseRow): boolean {
    // A future heartbeat means that the clock was set back: it proves no more than an old one.
    if (Math.abs(this.#nowMs() - row.renewed_at_ms) > STALE_AFTER_MS) return true
    return isKnownDead({ host: row.host, pid: row.pid, start: row.process_start })
  }

  #create(name: LeaseName): Lease {
    const lease: Lease = {
      name,
      owner: randomUUID(),
      renew: () => this.#connections.write((connection) => this.#renew(connection, lease)),
      release: () => this.#release(lease),
    }
    return lease
  }

  #renew(connection: Connection, lease: Lease): void {
    const sql = 'UPDATE leases SET renewed_at_ms = ? WHERE name = ? AND owner = ?'
    if (connection.run(sql, this.#nowMs(), lease.name, lease.owner).changes === 0) throw notHeld(lease)
    this.#heard.set(lease.owner, this.#nowMs())
  }

  async #release(lease: Lease): Promise<void> {
    this.#heard.delete(lease.owner)
    if (!this.#held.delete(lease.owner)) return
    await this.#connections.write((connection) => {
      connection.run('DELETE FROM leases WHERE name = ? AND owner = ?', lease.name, lease.owner)
    })
  }
}

function notHeld(lease: Lease): StoreError {
  return new StoreError(
    'lease-held',
    `The ${lease.name} lease is not held any more: it was released, or taken over after a minute of silence.`,
  )
}
