import { hash as digest } from 'node:crypto'
import type { Connection } from '../connection/connection.ts'
import { isReferenced } from './input-references.ts'
import { readSetting, writeSetting } from '../connection/stored-settings.ts'

const KEY = 'store-sqlite: erased inputs'
/** Longer than any batch job may take. */
const KEPT_MS = 30 * 86_400_000

/** Whether what comes back for an input is to be left out: it was erased while its text was on the way to be embedded. */
export type IsErased = (hash: string) => boolean

/** Remembers what was erased, by a digest of its hash, so that no answer to an earlier request brings it back. */
export function rememberErased(connection: Connection, hashes: readonly string[], nowMs: number): void {
  const kept = Object.entries(readErased(connection)).filter(([, erasedAtMs]) => nowMs - erasedAtMs < KEPT_MS)
  const erased = hashes.map((hash) => [traceOf(hash), nowMs] as const)
  writeSetting(connection, KEY, JSON.stringify(Object.fromEntries([...kept, ...erased])))
}

/** An input that a chunk refers to again is as good as any other. */
export function erasedInputs(connection: Connection): IsErased {
  const erased = readErased(connection)
  if (Object.keys(erased).length === 0) return () => false
  return (hash) => {
    if (!Object.hasOwn(erased, traceOf(hash))) return false
    const input = connection.value<number>('SELECT id FROM inputs WHERE hash = ?', hash)
    return input === undefined || !isReferenced(connection, input)
  }
}

/** Not the hash: of a text that is to be forgotten not even that stays. */
function traceOf(hash: string): string {
  return digest('sha256', `erased ${hash}`).slice(0, 32)
}

function readErased(connection: Connection): Readonly<Record<string, number>> {
  // Written above, and nowhere else.
  return JSON.parse(readSetting(connection, KEY) ?? '{}') as Record<string, number>
}
