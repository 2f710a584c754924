import { createHash, hash } from 'node:crypto'
import { closeSync, lstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { canonicalJson, ConfigError } from '@mnemark/spec'
import { isObject } from '../schema/is-object.ts'
import { filesOfModule, moduleFile } from '../files/module-file.ts'
import type { TrustedKey } from './trusted-keys.ts'

/** The trusted keys and files of one workspace's configuration: values and files by their hashes, never themselves. */
export interface TrustRecord {
  /** Real path of the workspace. */
  readonly workspace: string
  /** SHA-256 of the parsed value of each key, by its path with dots. */
  readonly keys: Readonly<Record<string, string>>
  /** Files in the workspace that the values name, by real path. */
  readonly files: Readonly<Record<string, FileMark>>
  /** ISO 8601; null if nothing was ever trusted and something was refused. */
  readonly trustedAt: string | null
  /** Hash of the refused keys: they are not asked about again. */
  readonly refused?: string
}

/** A file is unchanged if its change time is: every write changes that, and hashing a model means reading gigabytes. */
export interface FileMark {
  readonly sha256: string
  readonly size: number
  readonly changedAtMs: number
  readonly inode: number
}

export function nameOf({ path }: Pick<TrustedKey, 'path'>): string {
  return path.join('.')
}

function hashValue(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex')
}

export function hashOfKeys(keys: readonly TrustedKey[]): string {
  return hashValue(keys.map((key) => [nameOf(key), hashValue(key.value)]))
}

/** Marks of `keys`, and of the files in `folder` that they name. */
export function markKeys(keys: readonly TrustedKey[], folder: string): Pick<TrustRecord, 'keys' | 'files'> {
  const files = filesNamedBy(keys, folder)
  return {
    keys: Object.fromEntries(keys.map((key) => [nameOf(key), hashValue(key.value)])),
    files: Object.fromEntries(files.map((file) => [file, markFile(file)])),
  }
}

/**
 * True if everything trusted is unchanged: each key and each file that one names. If one has changed or is gone, nothing is
 * trusted any more: the rest may mean something else without it.
 */
export function holds(record: TrustRecord, keys: readonly TrustedKey[], folder: string): boolean {
  const present = new Map(keys.map((key) => [nameOf(key), hashValue(key.value)]))
  if (!Object.entries(record.keys).every(([name, value]) => present.get(name) === value)) return false
  const agreed = keys.filter((key) => Object.hasOwn(record.keys, nameOf(key)))
  try {
    return filesNamedBy(agreed, folder).every((file) => isUnchanged(file, record.files[file]))
  } catch (error) {
    // A module that has grown beyond the limit is not the one that was trusted.
    if (ConfigError.isInstance(error)) return false
    throw error
  }
}

/** Regular files in the folder, by real path; a value such as a model's id names no file. */
function filesNamedBy(keys: readonly TrustedKey[], folder: string): readonly string[] {
  const real = realpathSync(folder)
  const named = keys.flatMap(({ value }) => textsIn(value)).flatMap((text) => regularFile(resolve(folder, text)) ?? [])
  const files = [...named, ...keys.flatMap((key) => modulesNamedBy(key, folder))]
  return [...new Set(files)].filter((file) => file.startsWith(real + sep)).sort()
}

/** A module runs everything it imports, so its own files count as named too. */
function modulesNamedBy({ path, value }: TrustedKey, folder: string): readonly string[] {
  if (path.at(-1) !== 'module' || typeof value !== 'string') return []
  const file = moduleFile(value, folder)
  return file === null ? [] : filesOfModule(file).flatMap((each) => regularFile(each) ?? [])
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' || value.includes('\0') ? [] : [value]
  return isObject(value) ? Object.values(value).flatMap(textsIn) : []
}

function regularFile(path: string): string | null {
  try {
    return statSync(path).isFile() ? realpathSync(path) : null
  } catch {
    return null
  }
}

function markFile(file: string): FileMark {
  const { size, ctimeMs, ino } = lstatSync(file)
  return { sha256: hashFile(file), size, changedAtMs: ctimeMs, inode: ino }
}

function hashFile(file: string): string {
  const sum = createHash('sha256')
  const piece = Buffer.allocUnsafe(1 << 20)
  const handle = openSync(file, 'r')
  try {
    for (let read = readSync(handle, piece); read > 0; read = readSync(handle, piece)) sum.update(piece.subarray(0, read))
  } finally {
    closeSync(handle)
  }
  return sum.digest('hex')
}

function isUnchanged(file: string, mark: FileMark | undefined): boolean {
  if (mark === undefined) return false
  const { size, ctimeMs, ino } = lstatSync(file)
  if (size !== mark.size) return false
  if (ctimeMs === mark.changedAtMs && ino === mark.inode) return true
  return markFile(file).sha256 === mark.sha256
}
