import { setImmediate as nextTurn } from 'node:timers/promises'
import type { VectorCandidate } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'
import type { Connection } from '../connection/connection.ts'
import type { Connections } from '../file/connections.ts'
import type { CodeMemorySituation, ScanStrategy } from './scan-strategy.ts'
import { chooseStrategy, fitsMemory, isWorthWarming } from './scan-strategy.ts'
import type { Read, SpaceState } from './space-codes.ts'
import { SpaceCodes } from './space-codes.ts'
import type { ScanQuery } from './vector-scan.ts'
import { squaresOf } from '../codec/vector-codes.ts'
import { nearestByCodes, nearestOfMatching, nearestOfRows } from './vector-scan.ts'

/** How `nearest` works in one space. */
export interface SpaceScan {
  readonly fingerprint: string
  /** Vectors with a direction that chunks refer to. */
  readonly vectors: number
  /** Strategy of a search without a filter; see the README. */
  readonly strategy: ScanStrategy
  /** The finest codes that this process will hold: int8 where they fit. */
  readonly codes: 'int8' | '1-bit'
  /** Vectors whose 1-bit codes are in memory, and those among them with int8 codes. */
  readonly inMemory: number
  readonly warm: number
  /** Why no more int8 codes are read; null if there is no obstacle. */
  readonly warmingFailure: string | null
  /** Damaged rows found and left out since the store was opened; `check` names and repairs them. */
  readonly damagedVectors: number
  readonly areBlocksDamaged: boolean
}

export interface ScanDescription {
  /** The kernel that compares codes; null before the first search. Both give the same results. */
  readonly kernel: 'wasm' | 'javascript' | null
  readonly spaces: readonly SpaceScan[]
}

/** Spaces whose codes stay in memory: the active one and one more while it is being replaced. */
const SPACES_IN_MEMORY = 2
/** Blocks that get int8 codes between two yields to the event loop: 512 rows, about 2 ms. */
const WARM_BLOCKS = 2

export interface NearestOptions extends Omit<ScanQuery, 'space' | 'squares'> {
  readonly space: SpaceState
  /** File generation, from `Connections.generationOf`. */
  readonly file: number
}

/** Finds the nearest for all snapshots of a store, and holds their shared codes. */
export class VectorSearch {
  readonly #connections: Connections
  readonly #memoryBytes: number
  readonly #codes = new Map<string, SpaceCodes>()
  readonly #warming = new Map<SpaceCodes, Promise<void>>()
  readonly #failures = new WeakMap<SpaceCodes, string>()
  readonly #closing = new AbortController()

  /** `memoryBytes` limits the int8 codes of a space. */
  constructor(connections: Connections, memoryBytes: number) {
    this.#connections = connections
    this.#memoryBytes = memoryBytes
  }

  async nearest(read: Read, { space, file, ...options }: NearestOptions): Promise<VectorCandidate[]> {
    const query = { ...options, space: space.id, squares: squaresOf(options.vector) }
    if (query.limit === 0) return []
    const situation = { vectors: space.indexed, matching: query.matching?.size ?? null, areBlocksDamaged: false }
    if (chooseStrategy(situation) === 'matching') return nearestOfMatching(read, query)
    const codes = this.#codesOf(file, space)
    const view = await codes.view(read, space, query.signal)
    if (!view) return nearestOfRows(read, query)
    try {
      codes.searches++
      return await nearestByCodes(read, query, { codes, view })
    } finally {
      const isWarm = codes.isWarm(view)
      view.release()
      if (!isWarm) this.#startWarming(codes, { space, file })
    }
  }

  describe(connection: Connection): ScanDescription {
    const file = this.#connections.fileGeneration
    const spaces = connection.rows<SpaceState & { readonly fingerprint: string }>(
      'SELECT id, fingerprint, dimensions, generation, indexed FROM spaces WHERE dimensions IS NOT NULL ORDER BY id',
    )
    const described = spaces.map(({ id, fingerprint, dimensions, indexed }): SpaceScan => {
      const codes = this.#codes.get(codesKey(file, id))
      const areBlocksDamaged = codes?.areBlocksDamaged ?? false
      return {
        fingerprint,
        vectors: indexed,
        strategy: chooseStrategy({ vectors: indexed, matching: null, areBlocksDamaged }),
        codes: fitsMemory(this.#situation({ dimensions, indexed })) ? 'int8' : '1-bit',
        inMemory: codes?.kept.vectors ?? 0,
        warm: codes?.kept.warm ?? 0,
        warmingFailure: (codes && this.#failures.get(codes)) ?? null,
        damagedVectors: codes?.damagedVectors.size ?? 0,
        areBlocksDamaged,
      }
    })
    const [codes] = this.#codes.values()
    return { kernel: codes?.memory.kernel.kind ?? null, spaces: described }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#warming.values())
    this.#codes.clear()
  }

  /** Most recently used last; evicts the least recently used. */
  #codesOf(file: number, space: SpaceState): SpaceCodes {
    const key = codesKey(file, space.id)
    const codes = this.#codes.get(key) ?? new SpaceCodes(space)
    this.#codes.delete(key)
    this.#codes.set(key, codes)
    const [oldest] = this.#codes.keys()
    if (this.#codes.size > SPACES_IN_MEMORY && oldest !== undefined) this.#codes.delete(oldest)
    return codes
  }

  #startWarming(codes: SpaceCodes, { space, file }: { readonly space: SpaceState; readonly file: number }): void {
    if (!isWorthWarming({ ...this.#situation(space), searches: codes.searches })) return
    if (this.#warming.has(codes) || this.#failures.has(codes) || this.#closing.signal.aborted) return
    // Only `close` awaits it, so it never rejects: searches answer without it.
    const warming = this.#warm(codes, { space: space.id, file })
      .catch((error: unknown) => this.#noteFailure(codes, error))
      .finally(() => this.#warming.delete(codes))
    this.#warming.set(codes, warming)
  }

  /** Searches report failures of the store, such as a damaged file; any other failure ends the warming for good. */
  #noteFailure(codes: SpaceCodes, error: unknown): void {
    if (this.#closing.signal.aborted || StoreError.isInstance(error)) return
    this.#failures.set(codes, error instanceof Error ? error.message : String(error))
  }

  #situation({ indexed, dimensions }: Pick<SpaceState, 'indexed' | 'dimensions'>): CodeMemorySituation {
    return { codeBytes: indexed * dimensions, memoryBytes: this.#memoryBytes }
  }

  async #warm(codes: SpaceCodes, where: { readonly space: number; readonly file: number }): Promise<void> {
    while (!this.#closing.signal.aborted && [...this.#codes.values()].includes(codes)) {
      const connection = await this.#connections.lendReader()
      try {
        if (this.#connections.generationOf(connection) !== where.file) return
        if (!(await this.#warmNext(codes, connection, where.space))) return
      } finally {
        this.#connections.giveBack(connection)
      }
      await nextTurn()
    }
  }

  /** Returns whether there is more to do. */
  async #warmNext(codes: SpaceCodes, connection: Connection, space: number): Promise<boolean> {
    const read: Read = (work) => this.#connections.translate(() => work(connection))
    const state = read(() => findSpaceState(connection, space))
    const view = state && (await codes.view(read, state, this.#closing.signal))
    if (!view) return false
    try {
      read(() => codes.warm(connection, view, WARM_BLOCKS))
      return !codes.isWarm(view)
    } finally {
      view.release()
    }
  }
}

function codesKey(file: number, space: number): string {
  return `${file} ${space}`
}

function findSpaceState(connection: Connection, id: number): SpaceState | undefined {
  return connection.row('SELECT id, dimensions, generation, indexed FROM spaces WHERE id = ?', id)
}
