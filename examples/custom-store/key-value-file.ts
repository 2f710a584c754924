import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { LeaseTable } from '@mnemark/store-kit'

/** Keys and values, in memory and in one file that each commit writes anew. For one process at a time. */
export class KeyValueFile {
  readonly leases: LeaseTable = new LeaseTable()
  readonly #path: string
  #values: ReadonlyMap<string, string>

  constructor(path: string) {
    this.#path = path
    this.#values = new Map(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [])
  }

  /** The state of the moment: a later commit makes another map, so this one is a snapshot. */
  get values(): ReadonlyMap<string, string> {
    return this.#values
  }

  /** All of a change or, where it throws, none of it. */
  commit(change: (values: Map<string, string>) => void): void {
    const values = new Map(this.#values)
    change(values)
    writeFileSync(`${this.#path}.new`, JSON.stringify([...values]))
    renameSync(`${this.#path}.new`, this.#path)
    this.#values = values
  }
}
