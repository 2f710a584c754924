import type { Lease, LeaseName } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'

/**
 * Leases of a store that one process uses at a time. Holders live in this process, so none can die without releasing:
 * heartbeats are not needed. Stores that several processes open keep leases with their data.
 */
export class LeaseTable {
  /** Shared by all tables: a lease is valid in one store only. Pages without TLS have no `crypto.randomUUID`. */
  static #granted = 0
  readonly #holders = new Map<LeaseName, string>()
  readonly #waiting = new Set<() => void>()

  /** Null when the signal ends first; rejects with StoreError `closed` when the store closes. */
  async acquire(name: LeaseName, signal: AbortSignal | undefined, closing: AbortSignal): Promise<Lease | null> {
    const ended = signal ? AbortSignal.any([signal, closing]) : closing
    while (!signal?.aborted) {
      if (closing.aborted) throw new StoreError('closed', 'The store was closed while it waited for a lease.')
      if (!this.#holders.has(name)) return this.#grant(name)
      await this.#change(ended)
    }
    return null
  }

  isHeld(lease: Lease): boolean {
    return this.#holders.get(lease.name) === lease.owner
  }

  /** Throws StoreError `lease-held` for a lease that was released, belongs to another store, or is not the one `needed`. */
  assertHeld(lease: Lease, needed?: LeaseName): void {
    if (needed !== undefined && lease.name !== needed)
      throw new StoreError('lease-held', `This needs the ${needed} lease, not the ${lease.name} lease.`)
    if (!this.isHeld(lease)) throw new StoreError('lease-held', `The ${lease.name} lease is not held any more.`)
  }

  release(lease: Lease): void {
    if (!this.isHeld(lease)) return
    this.#holders.delete(lease.name)
    for (const wake of this.#waiting) wake()
  }

  #grant(name: LeaseName): Lease {
    const owner = `in-process-${++LeaseTable.#granted}`
    this.#holders.set(name, owner)
    const lease: Lease = {
      name,
      owner,
      renew: async () => {
        if (!this.isHeld(lease)) throw new StoreError('lease-held', `The ${name} lease was released.`)
      },
      release: async () => this.release(lease),
    }
    return lease
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }
}
