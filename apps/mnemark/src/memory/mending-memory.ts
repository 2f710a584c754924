import type {
  BackendStatus,
  Degradation,
  MemoryBackend,
  ReadReply,
  ReadRequest,
  SearchQuery,
  SearchReply,
  SyncOptions,
  SyncReport,
} from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'
import type { SqliteMemoryStore } from '@mnemark/store-sqlite'
import { rememberRepair } from './repair-record.ts'

/** A store with the engine over it; closing the memory closes both. */
export interface OpenIndex {
  readonly store: SqliteMemoryStore
  readonly memory: MemoryBackend
}

export interface MendingOptions {
  /** Opens the index file. Rejects with StoreError. */
  readonly open: () => Promise<OpenIndex>
  /** Moves a damaged file out of the way and returns its new name; null where another process has put another one there. Rejects where the file may not be touched. */
  readonly setAside: (error: StoreError) => Promise<string | null>
}

/**
 * A memory whose index may turn out to be damaged at any call: then it is repaired from what is whole, else set aside and
 * built again from the notes, and the call is made once more. Each repair is told with the next search reply.
 */
export class MendingMemory implements MemoryBackend {
  readonly specVersion = 'v1'
  readonly #options: MendingOptions
  #index: OpenIndex
  #repairs: Degradation[] = []
  #mending: Promise<void> = Promise.resolve()
  #isClosed = false

  private constructor(options: MendingOptions, index: OpenIndex) {
    this.#options = options
    this.#index = index
  }

  /** Rejects with StoreError where the index can be neither opened nor replaced. */
  static async open(options: MendingOptions): Promise<MendingMemory> {
    try {
      return new MendingMemory(options, await options.open())
    } catch (error) {
      if (!isDamage(error)) throw error
      const place = await options.setAside(error)
      const memory = new MendingMemory(options, await options.open())
      await memory.#buildAgain(error, place)
      return memory
    }
  }

  get name(): string {
    return this.#index.memory.name
  }

  /** The store in use now; another one after a repair. */
  get store(): SqliteMemoryStore {
    return this.#index.store
  }

  /** What was repaired and not told yet. */
  takeRepairs(): readonly Degradation[] {
    return this.#repairs.splice(0)
  }

  async search(query: SearchQuery): Promise<SearchReply> {
    const reply = await this.#mended((memory) => memory.search(query))
    return { ...reply, degraded: [...this.takeRepairs(), ...reply.degraded] }
  }

  async read(request: ReadRequest): Promise<ReadReply> {
    return this.#index.memory.read(request)
  }

  async sync(options: SyncOptions = {}): Promise<SyncReport> {
    return this.#mended((memory) => memory.sync(options))
  }

  status(options?: Parameters<MemoryBackend['status']>[0]): Promise<BackendStatus> {
    return this.#mended((memory) => memory.status(options))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#mending.catch(() => {})
    await this.#index.memory.close()
  }

  async #mended<Result>(work: (memory: MemoryBackend) => Promise<Result>): Promise<Result> {
    const steps = [this.#repair, this.#replace]
    for (;;) {
      const index = this.#index
      try {
        return await work(index.memory)
      } catch (error) {
        // Closed under this call by a repair that another call needed.
        if (this.#index !== index && StoreError.isInstance(error) && error.code === 'closed' && !this.#isClosed) continue
        const step = steps.shift()
        if (!isDamage(error) || step === undefined || this.#isClosed) throw error
        await this.#mend(index, () => step.call(this, error))
      }
    }
  }

  /** One repair at a time: a call that failed on an index which has been mended meanwhile only has to try again. */
  #mend(index: OpenIndex, step: () => Promise<void>): Promise<void> {
    const mending = this.#mending.catch(() => {}).then(() => (this.#index === index ? step() : undefined))
    this.#mending = mending
    return mending
  }

  /** Repairs the file from what is whole in it, and reads again what has to be. */
  async #repair(error: StoreError): Promise<void> {
    const { isHealthy, problems, repaired } = await this.#index.store.check({ repair: true })
    if (!isHealthy) return this.#replace(error)
    await this.#reopen()
    if (repaired.length === 0) return
    await this.#tell(`The index was damaged (${problems.join('; ')}). It was repaired from the notes.`)
  }

  async #replace(error: StoreError): Promise<void> {
    await this.#closeDamaged()
    const place = await this.#options.setAside(error)
    this.#index = await this.#options.open()
    await this.#buildAgain(error, place)
  }

  async #reopen(): Promise<void> {
    // What the engine remembers of the rows is no longer true.
    await this.#closeDamaged()
    this.#index = await this.#options.open()
    await this.#index.memory.sync({ reason: 'start' })
  }

  /** Closing writes too, and a damaged file may not let it. */
  async #closeDamaged(): Promise<void> {
    await this.#index.memory.close().catch(() => {})
  }

  async #buildAgain(error: StoreError, place: string | null): Promise<void> {
    await this.#index.memory.sync({ reason: 'start' })
    if (place === null) return
    await this.#tell(`${error.message.split('. ')[0]}. It was set aside as ${place} and built again from the notes.`)
  }

  async #tell(message: string): Promise<void> {
    this.#repairs.push({ code: 'index-repaired', message })
    await rememberRepair(this.#index.store, message)
  }
}

function isDamage(error: unknown): error is StoreError {
  return StoreError.isInstance(error) && error.code === 'corrupt'
}
