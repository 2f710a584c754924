import type { MemoryStore } from '@mnemark/spec'

/** A clock that stands still while anything else happens, and then jumps to the next call to answer. It never sleeps. */
class PatientClock {
  nowMs = 0
  #due: { readonly atMs: number; readonly wake: () => void }[] = []

  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#due.push({ atMs: this.nowMs + delayMs, wake: resolve })
      if (this.#due.length === 1) this.#settle()
    })
  }

  /** Calls made at once are all on their way before time passes. */
  #settle(): void {
    setImmediate(() =>
      setImmediate(() => {
        this.nowMs = Math.min(...this.#due.map(({ atMs }) => atMs))
        const woken = this.#due.filter(({ atMs }) => atMs <= this.nowMs)
        this.#due = this.#due.filter(({ atMs }) => atMs > this.nowMs)
        for (const { wake } of woken) wake()
        if (this.#due.length > 0) this.#settle()
      }),
    )
  }
}

/** A store as if behind a network, see `delayStore`. */
export interface DelayedStore {
  readonly store: MemoryStore
  /** Number of consecutive calls that `work` waits for; parallel calls count once. */
  countRoundTrips(work: () => Promise<unknown>): Promise<number>
  /** The names of all calls in order, such as `snapshot.blocks`. */
  readonly calls: readonly string[]
}

const DELAY_MS = 20

/**
 * The store with each call answered 20 ms late, by a virtual clock that never sleeps: shows how often work waits for a
 * remote store. Steps of an iteration are calls, except those answered with the first one.
 */
export function delayStore(store: MemoryStore): DelayedStore {
  const clock = new PatientClock()
  const calls: string[] = []
  const late = async <T>(name: string, call: () => T): Promise<Awaited<T>> => {
    calls.push(name)
    await clock.wait(DELAY_MS)
    return await call()
  }
  const snapshots = async <T>(name: string, call: () => T): Promise<Awaited<T>> => {
    const answer = await late(name, call)
    // Only the result of a store's `snapshot` has calls of its own.
    return name === 'snapshot' ? (delayed(answer as object, 'snapshot.', late) as typeof answer) : answer
  }
  return {
    store: delayed(store, '', snapshots),
    calls,
    async countRoundTrips(work) {
      const beganMs = clock.nowMs
      await work()
      return (clock.nowMs - beganMs) / DELAY_MS
    },
  }
}

type Late = <T>(name: string, call: () => T) => Promise<Awaited<T>>

/** Delays every method, including those of its members (`jobs`, `settings`). */
function delayed<T extends object>(whole: T, prefix: string, late: Late): T {
  return new Proxy(whole, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      const name = `${prefix}${String(key)}`
      if (typeof member === 'object' && member !== null) return delayed(member, `${name}.`, late)
      if (typeof member !== 'function') return member
      const call = (given: unknown[]): unknown => Reflect.apply(member, target, given)
      if (AT_ONCE.has(name)) return (...given: unknown[]) => call(given)
      // The calls in this table return an iteration.
      if (ITERATIONS.has(name)) return (...given: unknown[]) => begun(() => call(given) as AsyncIterable<unknown>, name, late)
      return (...given: unknown[]) => late(name, () => call(given))
    },
  })
}

const AT_ONCE: ReadonlySet<string> = new Set(['snapshot.release'])
const ITERATIONS: ReadonlySet<string> = new Set(['snapshot.documents', 'snapshot.scan', 'snapshot.exportVectors'])

async function* begun(begin: () => AsyncIterable<unknown>, name: string, late: Late): AsyncGenerator<unknown> {
  yield* await late(name, begin)
}
