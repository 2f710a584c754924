import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type Table } from '@lancedb/lancedb'
import type { VectorEngine } from './engine.ts'
import { documentVectors } from './vector-set.ts'

const BATCH = 5_000

/** LanceDB without an index: exact, as its own documentation advises below some hundred thousand rows. */
export const lancedbEngine: VectorEngine = {
  fill: async (folder, set) => {
    const database = await connect(folder)
    let table: Table | undefined
    let batch: { number: number; vector: number[] }[] = []
    const flush = async (): Promise<void> => {
      if (table) await table.add(batch)
      else table = await database.createTable('v', batch)
      batch = []
    }
    let number = 0
    for (const vector of documentVectors(set)) {
      batch.push({ number: number++, vector: [...vector] })
      if (batch.length === BATCH) await flush()
    }
    if (batch.length > 0) await flush()
    await table?.optimize()
    // Takes away what it has just put together, which it would keep for a week.
    await table?.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true })
    return folderBytes(folder)
  },
  open: async (folder) => {
    const database = await connect(folder)
    const table = await database.openTable('v')
    return {
      nearest: async (query, limit) => {
        const rows = await table.vectorSearch(query).distanceType('cosine').select(['number']).limit(limit).toArray()
        return rows.map((row) => Number(row.number))
      },
      close: async () => {
        table.close()
        database.close()
      },
    }
  },
}

function folderBytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
