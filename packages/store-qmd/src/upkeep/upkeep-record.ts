import { readFileSync, statSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RegisteredCollection } from '../collections/register-collections.ts'
import type { QmdHome } from '../home.ts'

/** State of an agent's QMD after the last update, stored beside it for the next process. */
export interface UpkeepRecord {
  readonly collections: readonly RegisteredCollection[]
  /** The files at the beginning of the last update, by collection and path. */
  readonly files: ReadonlyMap<string, string>
  readonly updatedAtMs: number
  readonly embeddedAtMs: number | null
}

const FORM = 1

/** Null where there is none, or one of another format: the next update writes a new one. */
export function readRecord(home: QmdHome): UpkeepRecord | null {
  try {
    const { form, collections, files, updatedAtMs, embeddedAtMs } = JSON.parse(readFileSync(recordFile(home), 'utf8'))
    return form === FORM ? { collections, files: new Map(Object.entries(files)), updatedAtMs, embeddedAtMs } : null
  } catch {
    return null
  }
}

/** Changes when any process writes the record; null where there is none. */
export function recordStamp(home: QmdHome): string | null {
  const stats = statSync(recordFile(home), { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.ino}:${stats.size}:${stats.mtimeNs}`
}

/** Writes in one step, so that a reader never sees half of it. */
export async function writeRecord(home: QmdHome, record: UpkeepRecord): Promise<void> {
  const file = recordFile(home)
  const temporary = `${file}.${process.pid}.tmp`
  await writeFile(temporary, JSON.stringify({ form: FORM, ...record, files: Object.fromEntries(record.files) }), { mode: 0o600 })
  await rename(temporary, file)
}

function recordFile(home: QmdHome): string {
  return join(home.root, 'upkeep.json')
}
