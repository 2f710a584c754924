import { randomUUID } from 'node:crypto'
import type { Lease, LeaseName } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'

/** Leases of one disk. Its holders live in this process, so none can die without releasing: no heartbeat is needed. */
export class LeaseTable {
  readonly #holders = new Map<LeaseName, string>()
  readonly #waiting = new Set<() => void>()

  /** Null when the signal ends first; rejects with `closed` when the store that asks closes. */
  async acquire(name: LeaseName, signal: AbortSignal, closing: AbortSignal): Promise<Lease | null> {
    while (!signal.aborted) {
      if (closing.aborted) throw new StoreError('closed', 'The store was closed while it waited for a lease.')
      if (!this.#holders.has(name)) return this.#grant(name)
      await this.#change(AbortSignal.any([signal, closing]))
    }
    return null
  }

  isHeld(lease: Lease): boolean {
    return this.#holders.get(lease.name) === lease.owner
  }

  release(lease: Lease): void {
    if (!this.isHeld(lease)) return
    this.#holders.delete(lease.name)
    for (const wake of this.#waiting) wake()
  }

  #grant(name: LeaseName): Lease {
    const owner = `in-memory-${randomUUID()}`
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
