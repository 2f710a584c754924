import type { DocumentId } from '@mnemark/spec'
import type { Timers } from './timers.ts'

/** Notes that are written without a pause are reported anyway, after this many times the quiet time. */
const MOST_WAITS = 10

/** Gathers changes until it has been quiet for a while. */
export class ChangeCollector {
  readonly #timers: Timers
  readonly #quietMs: number
  readonly #deliver: (changed: ReadonlyMap<string, DocumentId>) => void
  #changed = new Map<string, DocumentId>()
  #cancelQuiet: (() => void) | null = null
  #cancelLatest: (() => void) | null = null

  constructor(
    options: { readonly timers: Timers; readonly quietMs: number },
    deliver: (changed: ReadonlyMap<string, DocumentId>) => void,
  ) {
    this.#timers = options.timers
    this.#quietMs = options.quietMs
    this.#deliver = deliver
  }

  add(changed: readonly DocumentId[]): void {
    for (const id of changed) this.#changed.set(id.path, id)
    this.#cancelQuiet?.()
    this.#cancelQuiet = this.#timers.after(this.#quietMs, () => this.#flush())
    this.#cancelLatest ??= this.#timers.after(this.#quietMs * MOST_WAITS, () => this.#flush())
  }

  /** Drops the gathered changes. */
  clear(): void {
    this.#cancelQuiet?.()
    this.#cancelLatest?.()
    this.#cancelQuiet = null
    this.#cancelLatest = null
    this.#changed = new Map()
  }

  #flush(): void {
    const changed = this.#changed
    this.clear()
    this.#deliver(changed)
  }
}
