import { readFileSync, statSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RegisteredCollection } from '../collections/register-collections.ts'
import type { QmdHome } from '../home.ts'

/** What was done to an agent's QMD, kept beside it for the next process. */
export interface UpkeepRecord {
  readonly collections: readonly RegisteredCollection[]
  /** The files as they were when the last update began, by collection and path. */
  readonly files: ReadonlyMap<string, string>
  readonly updatedAtMs: number
  readonly embeddedAtMs: number | null
}

const FORM = 1

/** Null where there is none, or one of another form: the next update makes a new one. */
export function readRecord(home: QmdHome): UpkeepRecord | null {
  try {
    const { form, collections, files, updatedAtMs, embeddedAtMs } = JSON.parse(readFileSync(recordFile(home), 'utf8'))
    return form === FORM ? { collections, files: new Map(Object.entries(files)), updatedAtMs, embeddedAtMs } : null
  } catch {
    return null
  }
}

/** Moves when the record is written, by whatever process; null where there is none. */
export function recordStamp(home: QmdHome): string | null {
  const stats = statSync(recordFile(home), { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.ino}:${stats.size}:${stats.mtimeNs}`
}

/** In one step, so that a reader never meets half of it. */
export async function writeRecord(home: QmdHome, record: UpkeepRecord): Promise<void> {
  const file = recordFile(home)
  const temporary = `${file}.${process.pid}.tmp`
  await writeFile(temporary, JSON.stringify({ form: FORM, ...record, files: Object.fromEntries(record.files) }), { mode: 0o600 })
  await rename(temporary, file)
}

function recordFile(home: QmdHome): string {
  return join(home.root, 'upkeep.json')
}
