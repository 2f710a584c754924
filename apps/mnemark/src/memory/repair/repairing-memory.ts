import type {
  BackendStatus,
  CallOptions,
  Degradation,
  IndexView,
  IndexViews,
  ListQuery,
  ListReply,
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
import { lookedOver, mustLookOver } from './look-over.ts'
import { rememberRepair } from './repair-record.ts'
import { damageOf } from './vector-scan.ts'

const MOST_FALSE_ALARMS = 3

/** A store with the engine over it; closing the memory closes both. */
export interface OpenIndex {
  readonly store: SqliteMemoryStore
  readonly memory: MemoryBackend
  readonly views: IndexViews
  /** The result of taking over the vectors of a quarantined index; null if there was none. */
  readonly takenOver: string | null
}

export interface RepairOptions {
  /** Opens the index file. Rejects with StoreError. */
  readonly open: () => Promise<OpenIndex>
  /** Moves a damaged file out of the way and returns its new name; null where another process has put another one there. Rejects where the file may not be touched. */
  readonly setAside: (error: StoreError) => Promise<string | null>
}

/**
 * A memory whose index may prove damaged at any call: then it is repaired from its intact parts, else quarantined and rebuilt
 * from the notes, and the call is repeated. The next reply of a search or list reports each repair.
 */
export class RepairingMemory implements MemoryBackend, IndexViews {
  readonly specVersion = 'v1'
  readonly #options: RepairOptions
  #index: OpenIndex
  #repairs: Degradation[] = []
  #repairing: Promise<void> = Promise.resolve()
  #isClosed = false
  /** Counts damage that searches saw and the file does not have: another process repaired it, unless it comes again and again. */
  #falseAlarms = 0

  private constructor(options: RepairOptions, index: OpenIndex) {
    this.#options = options
    this.#index = index
  }

  /** Rejects with StoreError where the index can be neither opened nor replaced. */
  static async open(options: RepairOptions): Promise<RepairingMemory> {
    try {
      const memory = new RepairingMemory(options, await options.open())
      // A process was killed before it came to that.
      const { takenOver } = memory.#index
      if (takenOver !== null) await memory.#tell(`The index was set aside as damaged. ${takenOver}`)
      return memory
    } catch (error) {
      if (!isDamage(error)) throw error
      const place = await options.setAside(error)
      const memory = new RepairingMemory(options, await options.open())
      await memory.#buildAgain(error, place)
      return memory
    }
  }

  get name(): string {
    return this.#index.memory.name
  }

  /** The store in use; a repair replaces it. */
  get store(): SqliteMemoryStore {
    return this.#index.store
  }

  /** Repairs that were not reported yet. */
  takeRepairs(): readonly Degradation[] {
    return this.#repairs.splice(0)
  }

  async search(query: SearchQuery): Promise<SearchReply> {
    const first = await this.#repaired((memory) => memory.search(query))
    const unrepaired = first.mode === 'keywords' ? [] : await this.#repairVectors()
    const reply = unrepaired === null ? await this.#repaired((memory) => memory.search(query)) : first
    return { ...reply, degraded: [...this.takeRepairs(), ...(unrepaired ?? []), ...reply.degraded] }
  }

  async list(query: ListQuery): Promise<ListReply> {
    const reply = await this.#repaired((memory) => memory.list(query))
    return { ...reply, degraded: [...this.takeRepairs(), ...reply.degraded] }
  }

  /** `use` may run again, over a repaired index. */
  withIndex<Result>(use: (view: IndexView) => Promise<Result>, options: CallOptions = {}): Promise<Result> {
    return this.#repaired(() =>
      this.#index.views.withIndex((view) => use({ ...view, degraded: [...this.takeRepairs(), ...view.degraded] }), options),
    )
  }

  async read(request: ReadRequest): Promise<ReadReply> {
    return this.#index.memory.read(request)
  }

  async sync(options: SyncOptions = {}): Promise<SyncReport> {
    if (options.isDryRun !== true) await this.#repairVectors()
    return this.#repaired((memory) => memory.sync(options))
  }

  /** Checks every row, unless that was done recently and takes long, and repairs damage. Rejects with StoreError. */
  async lookOver(): Promise<void> {
    if (!(await this.#repaired(() => mustLookOver(this.store)))) return
    await this.#repairNow(new StoreError('corrupt', 'The index is damaged.'))
    await lookedOver(this.store)
  }

  status(options?: Parameters<MemoryBackend['status']>[0]): Promise<BackendStatus> {
    return this.#repaired((memory) => memory.status(options))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#repairing.catch(() => {})
    await this.#index.memory.close()
  }

  async #repaired<Result>(work: (memory: MemoryBackend) => Promise<Result>): Promise<Result> {
    const steps = [this.#repair, this.#replace]
    for (;;) {
      const index = this.#index
      try {
        return await work(index.memory)
      } catch (error) {
        // A repair for another call closed the index during this one.
        if (this.#index !== index && StoreError.isInstance(error) && error.code === 'closed' && !this.#isClosed) continue
        const step = steps.shift()
        if (!isDamage(error) || step === undefined || this.#isClosed) throw error
        await this.#inTurn(index, () => step.call(this, error))
      }
    }
  }

  /** One repair at a time: a call that failed on an index which has been repaired meanwhile only has to try again. */
  #inTurn(index: OpenIndex, step: () => Promise<void>): Promise<void> {
    const repairing = this.#repairing.catch(() => {}).then(() => (this.#index === index ? step() : undefined))
    this.#repairing = repairing
    return repairing
  }

  /**
   * Repairs vectors that searches found damaged, and lets lost ones be made again. Null if that was done, else the reason why
   * not, or an empty list if there is no damage.
   */
  async #repairVectors(): Promise<readonly Degradation[] | null> {
    if (this.#falseAlarms > MOST_FALSE_ALARMS || this.#isClosed) return []
    const damage = damageOf(await this.#repaired(() => this.store.describeScan()))
    if (damage === null) return []
    try {
      const isRepaired = await this.#repairNow(new StoreError('corrupt', 'The vectors of the index are damaged.'))
      if (isRepaired) return null
      this.#falseAlarms++
      await this.#inTurn(this.#index, () => this.#reopen())
      return null
    } catch (error) {
      if (!StoreError.isInstance(error)) throw error
      return [{ code: 'space-incomplete', message: `${damage} They could not be repaired: ${error.message}` }]
    }
  }

  /** Returns whether there was anything to repair. */
  async #repairNow(error: StoreError): Promise<boolean> {
    const index = this.#index
    let isSound = false
    await this.#inTurn(index, async () => {
      isSound = (await index.store.check()).isHealthy
      if (!isSound) await this.#repair(error)
    })
    return !isSound
  }

  /** Repairs the file from its intact parts, and reads again the notes that need it. */
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
    // The engine's cached rows are no longer valid.
    await this.#closeDamaged()
    this.#index = await this.#options.open()
    await this.#index.memory.sync({ reason: 'start' })
  }

  /** Closing writes too, which a damaged file may prevent. */
  async #closeDamaged(): Promise<void> {
    await this.#index.memory.close().catch(() => {})
  }

  async #buildAgain(error: StoreError, place: string | null): Promise<void> {
    const { tokens } = await this.#index.memory.sync({ reason: 'start' })
    if (place === null) return
    const lost = tokens > 0 ? 'No vector could be taken over from it.' : ''
    const told = `It was set aside as ${place} and built again from the notes. ${this.#index.takenOver ?? lost}`
    await this.#tell(`${error.message.split('. ')[0]}. ${told}`.trimEnd())
  }

  async #tell(message: string): Promise<void> {
    this.#repairs.push({ code: 'index-repaired', message })
    await rememberRepair(this.#index.store, message)
  }
}

function isDamage(error: unknown): error is StoreError {
  return StoreError.isInstance(error) && error.code === 'corrupt'
}
