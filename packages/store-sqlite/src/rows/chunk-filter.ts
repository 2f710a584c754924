import { createRequire } from 'node:module'
import type { ChunkFilter } from '@mnemark/spec'
import type picomatch from 'picomatch'
import type { Connection, Value } from '../connection/connection.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/
/** Up to this many documents, looking each up by its index is faster than reading all chunks. */
const FEW_DOCUMENTS = 200

/** The ids of all chunks that pass. Throws TypeError for a day that is not YYYY-MM-DD. */
export function matchingChunks(connection: Connection, { all = [], ...filter }: ChunkFilter): ReadonlySet<number> {
  const isAlone = all.length === 0 || Object.values(filter).some((condition) => condition !== undefined)
  const sets = [...(isAlone ? [ownMatches(connection, filter)] : []), ...all.map((other) => matchingChunks(connection, other))]
  return sets.reduce((passing, others) => new Set([...passing].filter((id) => others.has(id))))
}

function ownMatches(connection: Connection, filter: Omit<ChunkFilter, 'all'>): ReadonlySet<number> {
  const { conditions, values } = chunkConditions(filter)
  const documents = matchingDocuments(connection, filter)
  if (documents === null) {
    const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
    return new Set(connection.values<number>(`SELECT id FROM chunks${where}`, ...values))
  }
  const ids = new Set<number>()
  if (documents.size <= FEW_DOCUMENTS) {
    const sql = `SELECT id FROM chunks WHERE ${['document = ?', ...conditions].join(' AND ')}`
    for (const document of documents) for (const id of connection.values<number>(sql, document, ...values)) ids.add(id)
    return ids
  }
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
  const rows = connection.rows<{ id: number; document: number }>(`SELECT id, document FROM chunks${where}`, ...values)
  for (const { id, document } of rows) if (documents.has(document)) ids.add(id)
  return ids
}

interface Conditions {
  readonly conditions: string[]
  readonly values: Value[]
}

/** Each list is one JSON value, so that the text of the statement, and with it the prepared one, stays the same. */
function chunkConditions(filter: ChunkFilter): Conditions {
  const result: Conditions = { conditions: [], values: [] }
  const add = (condition: string, value: Value): void => {
    result.conditions.push(condition)
    result.values.push(value)
  }
  if (filter.kinds) add("coalesce(kind, 'note') IN (SELECT value FROM json_each(?))", JSON.stringify(filter.kinds))
  for (const [column, listed] of [
    ['session', filter.sessions],
    ['audience', filter.audiences],
  ] as const) {
    if (listed) add(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(listed))
  }
  for (const [column, listed] of [
    ['entities', filter.entities],
    ['tags', filter.tags],
  ] as const) {
    const condition = `EXISTS (SELECT 1 FROM json_each(chunks.${column}) WHERE value IN (SELECT value FROM json_each(?)))`
    if (listed) add(condition, JSON.stringify(listed))
  }
  for (const day of [filter.since, filter.until, filter.asOf]) {
    if (day !== undefined && !DAY.test(day)) throw new TypeError(`A day must be YYYY-MM-DD, got ${JSON.stringify(day)}.`)
  }
  if (filter.since !== undefined) add('last_day >= ?', filter.since)
  if (filter.until !== undefined) add('first_day <= ?', filter.until)
  if (filter.asOf !== undefined) add('(first_day IS NULL OR first_day <= ?)', filter.asOf)
  return result
}

/** Null where the filter has no condition on documents. */
function matchingDocuments(connection: Connection, { sources, paths, excludePaths }: ChunkFilter): ReadonlySet<number> | null {
  if (!sources && !paths && !excludePaths) return null
  const isWanted = paths && pathTest(paths)
  const isExcluded = excludePaths && excludePaths.length > 0 ? pathTest(excludePaths) : undefined
  const numbers = new Set<number>()
  for (const { id, source, path } of connection.rows<{ id: number; source: string; path: string }>(
    'SELECT id, source, path FROM documents',
  )) {
    if (sources && !sources.includes(source)) continue
    if ((isWanted && !isWanted(path)) || isExcluded?.(path)) continue
    numbers.add(id)
  }
  return numbers
}

/** Loaded with the first glob, so that a process that only opens and searches does not need it. */
function loadPicomatch(): typeof picomatch {
  return createRequire(import.meta.url)('picomatch')
}

function pathTest(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.map((glob) => glob.normalize('NFC'))
  const compile = loadPicomatch()
  const matchers = patterns.map((pattern) => compile(pattern, { dot: true, windows: false, flags: 's' }))
  return (path) => {
    const normalized = path.normalize('NFC')
    // A pattern that equals the path always matches, so that names with brackets or braces can be given literally.
    return patterns.includes(normalized) || matchers.some((matches) => matches(normalized))
  }
}
