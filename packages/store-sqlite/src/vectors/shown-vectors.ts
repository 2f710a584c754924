import { vectorChecksum } from '../codec/checksum.ts'
import { SlotWriter } from './code-blocks.ts'
import type { Connection } from '../connection/connection.ts'
import { hasDirection } from '../codec/vector-codes.ts'

interface SpaceToShow {
  readonly id: number
  readonly dimensions: number | null
}

/** Gives slots to the vectors of newly referenced inputs; returns the number of their vectors, null ones included. */
export function showVectors(connection: Connection, space: SpaceToShow, inputs: readonly number[]): number {
  const slots = new SlotWriter(connection, space.id, space.dimensions ?? 0)
  const sql = 'SELECT id, checksum, bytes FROM vectors WHERE space = ? AND input = ?'
  let shown = 0
  for (const input of inputs) {
    const row = connection.row<{ id: number; checksum: number | null; bytes: Uint8Array | null }>(sql, space.id, input)
    if (!row) continue
    shown++
    const { id, bytes } = row
    if (bytes && row.checksum === vectorChecksum(input, bytes) && hasDirection(bytes)) slots.place({ id, input, bytes })
  }
  slots.save()
  return shown
}

/** Frees the slots of vectors that become cache entries; returns the number of vectors of these inputs. */
export function hideVectors(connection: Connection, space: SpaceToShow, inputs: readonly number[]): number {
  const slots = new SlotWriter(connection, space.id, space.dimensions ?? 0)
  const sql = 'SELECT id, slot FROM vectors WHERE space = ? AND input = ?'
  let hidden = 0
  for (const input of inputs) {
    const row = connection.row<{ id: number; slot: number | null }>(sql, space.id, input)
    if (!row) continue
    hidden++
    if (row.slot === null) continue
    slots.free(row.slot)
    connection.run('UPDATE vectors SET slot = NULL WHERE id = ?', row.id)
  }
  slots.save()
  return hidden
}
