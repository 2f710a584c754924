import { hash as digest } from 'node:crypto'
import type { Connection } from '../connection/connection.ts'
import { isReferenced } from './input-references.ts'
import { readSetting, writeSetting } from '../connection/stored-settings.ts'

const KEY = 'store-sqlite: erased inputs'
/** Longer than any batch job may take. */
const KEPT_MS = 30 * 86_400_000

/** Whether a vector that arrives for an input is to be discarded: the input was erased while its text was being embedded. */
export type IsErased = (hash: string) => boolean

/** Records erased inputs, by a digest of their hash, so that no answer to an earlier request restores them. */
export function rememberErased(connection: Connection, hashes: readonly string[], nowMs: number): void {
  const kept = Object.entries(readErased(connection)).filter(([, erasedAtMs]) => nowMs - erasedAtMs < KEPT_MS)
  const erased = hashes.map((hash) => [traceOf(hash), nowMs] as const)
  writeSetting(connection, KEY, JSON.stringify(Object.fromEntries([...kept, ...erased])))
}

/** An input that a chunk refers to again counts as not erased. */
export function erasedInputs(connection: Connection): IsErased {
  const erased = readErased(connection)
  if (Object.keys(erased).length === 0) return () => false
  return (hash) => {
    if (!Object.hasOwn(erased, traceOf(hash))) return false
    const input = connection.value<number>('SELECT id FROM inputs WHERE hash = ?', hash)
    return input === undefined || !isReferenced(connection, input)
  }
}

/** A digest instead of the hash: not even the hash of an erased text is kept. */
function traceOf(hash: string): string {
  return digest('sha256', `erased ${hash}`).slice(0, 32)
}

function readErased(connection: Connection): Readonly<Record<string, number>> {
  // Only `rememberErased` writes this setting.
  return JSON.parse(readSetting(connection, KEY) ?? '{}') as Record<string, number>
}
