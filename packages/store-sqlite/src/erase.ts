import type { Connection } from './connection.ts'
import { isReferenced } from './input-references.ts'

export interface Erased {
  readonly vectors: number
  /** Inputs that other chunks still refer to: their vectors stay. */
  readonly shared: readonly string[]
}

/** Takes away what is kept of inputs beyond the chunks that had them: vectors, marks of failure, the hashes. */
export function eraseInputs(connection: Connection, hashes: readonly string[]): Erased {
  let vectors = 0
  const shared: string[] = []
  for (const hash of new Set(hashes)) {
    const input = connection.value<number>('SELECT id FROM inputs WHERE hash = ?', hash)
    if (input === undefined) continue
    if (isReferenced(connection, input)) {
      shared.push(hash)
      continue
    }
    vectors += connection.run('DELETE FROM vectors WHERE input = ?', input).changes
    connection.run('DELETE FROM failures WHERE input = ?', input)
    connection.run('DELETE FROM inputs WHERE id = ?', input)
  }
  return { vectors, shared }
}
