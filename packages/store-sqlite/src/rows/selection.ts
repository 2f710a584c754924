import type { ChunkFilter, SelectedChunk, SelectOptions } from '@mnemark/spec'
import { matchingChunks } from './chunk-filter.ts'
import type { Connection } from '../connection/connection.ts'
import { findPlaces } from './documents.ts'

interface Row {
  readonly id: number
  readonly day: string | null
}

const BY_PATH = 'd.path, d.source, d.part, c.ordinal, c.id'
const ORDERS: Readonly<Record<SelectOptions['order'], string>> = {
  path: BY_PATH,
  newest: `c.last_day DESC NULLS LAST, ${BY_PATH}`,
}
const TIME = "SELECT json_extract(attributes, '$.time') FROM chunk_texts WHERE id = ?"

/** All chunks that pass a filter, in order; kept by a snapshot, so that the pages of one list are sorted once. */
export class Selection {
  readonly #rows: Row[]
  readonly #isByAge: boolean
  /** Number of rows whose days are sorted by time: times are beside the texts, so they are read only for the days on a page. */
  #timed = 0

  constructor(connection: Connection, filter: ChunkFilter, order: SelectOptions['order']) {
    const matching = matchingChunks(connection, filter)
    const sql = `SELECT c.id, c.last_day AS day FROM chunks c JOIN documents d ON d.id = c.document ORDER BY ${ORDERS[order]}`
    this.#rows = connection.rows<Row>(sql).filter(({ id }) => matching.has(id))
    this.#isByAge = order === 'newest'
  }

  page(connection: Connection, { limit, after }: Pick<SelectOptions, 'limit' | 'after'>): SelectedChunk[] {
    const start = after === undefined ? 0 : this.#placeOf(connection, after) + 1
    this.#sortTimes(connection, start + limit)
    return findPlaces(
      connection,
      this.#rows.slice(start, start + limit).map(({ id }) => id),
    )
  }

  #placeOf(connection: Connection, after: number): number {
    const find = (): number => this.#rows.findIndex(({ id }) => id === after)
    const place = find()
    if (place === -1) throw new TypeError(`after: chunk ${after} does not pass the filter.`)
    if (place < this.#timed) return place
    this.#sortTimes(connection, place + 1)
    return find()
  }

  #sortTimes(connection: Connection, until: number): void {
    while (this.#isByAge && this.#timed < Math.min(until, this.#rows.length)) {
      const day = this.#rows[this.#timed]?.day ?? null
      const length = this.#rows.slice(this.#timed).findIndex((row) => row.day !== day)
      const end = length === -1 ? this.#rows.length : this.#timed + length
      if (day !== null && end - this.#timed > 1) this.#sortDay(connection, this.#timed, end)
      this.#timed = end
    }
  }

  #sortDay(connection: Connection, start: number, end: number): void {
    const timed = this.#rows.slice(start, end).map((row) => ({ row, time: connection.value<string | null>(TIME, row.id) ?? '' }))
    timed.sort((left, right) => (left.time === right.time ? 0 : left.time < right.time ? 1 : -1))
    this.#rows.splice(start, end - start, ...timed.map(({ row }) => row))
  }
}
