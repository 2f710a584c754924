import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigError } from '@mnemark/spec'
import { isObject } from '../schema/is-object.ts'
import { userFolders } from '../files/user-folders.ts'
import type { TrustRecord } from './trust-record.ts'

/** A newer program may store more in a record than this one understands. */
const FORMAT = 1

/** The file with everything this user trusts, in the user's state folder and never in a workspace. */
export function trustListFile(): string {
  return join(userFolders().state, 'trusted.json')
}

/**
 * Every trusted workspace, by real path. Throws ConfigError for an unreadable list: treated as empty, it would be overwritten.
 */
export function readTrustList(): ReadonlyMap<string, TrustRecord> {
  const file = trustListFile()
  const text = readText(file)
  if (text === null) return new Map()
  const list = parse(text)
  if (!isObject(list) || !Array.isArray(Reflect.get(list, 'workspaces'))) throw unreadable(file, 'it is not a list of workspaces')
  if (Reflect.get(list, 'format') !== FORMAT) {
    throw new ConfigError(
      'invalid-value',
      `${file} was written by a newer version of Mnemark. Use that version, or remove the file.`,
    )
  }
  const records: readonly TrustRecord[] = Reflect.get(list, 'workspaces')
  return new Map(records.filter(isRecord).map((record) => [record.workspace, record]))
}

/** Null where the folder was never trusted, or is not there. */
export function trustRecordOf(folder: string): TrustRecord | null {
  return readTrustList().get(realFolder(folder)) ?? null
}

export function keepTrust(record: TrustRecord): void {
  write(new Map(readTrustList()).set(record.workspace, record))
}

/** Returns true if it was trusted. */
export function dropTrust(folder: string): boolean {
  const records = new Map(readTrustList())
  const wasThere = records.delete(realFolder(folder))
  if (wasThere) write(records)
  return wasThere
}

/** The path itself if the folder is gone, so that it can still be removed from the list. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

/** Written in one step, so that a reader sees the list before or after. */
function write(records: ReadonlyMap<string, TrustRecord>): void {
  const file = trustListFile()
  const temporary = `${file}.${process.pid}`
  const workspaces = [...records.values()].sort((left, right) => (left.workspace < right.workspace ? -1 : 1))
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, `${JSON.stringify({ format: FORMAT, workspaces }, null, 2)}\n`, { mode: 0o600 })
    chmodSync(temporary, 0o600)
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw unreadable(file, error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason', 'written')
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw unreadable(file, error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is TrustRecord {
  return (
    isObject(value) &&
    typeof Reflect.get(value, 'workspace') === 'string' &&
    isObject(Reflect.get(value, 'keys')) &&
    isObject(Reflect.get(value, 'files'))
  )
}

function unreadable(file: string, reason: string, verb = 'read'): ConfigError {
  return new ConfigError(
    'invalid-value',
    `The list of trusted workspaces, ${file}, cannot be ${verb}: ${reason}. Repair or remove it.`,
  )
}
