import type { MissingInput, SpaceCoverage } from '@mnemark/spec'
import { damaged } from '../codec/checksum.ts'
import type { Connection, Value } from '../connection/connection.ts'
import type { SpaceRow } from './vectors.ts'
import { findSpace } from './vectors.ts'
import { assertLimit } from '../codec/values.ts'

const FAILED = `SELECT count(*) FROM failures f WHERE f.space = ?
  AND EXISTS (SELECT 1 FROM chunk_inputs r WHERE r.input = f.input)
  AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.space = f.space AND v.input = f.input)`

export function listSpaces(connection: Connection): SpaceCoverage[] {
  const rows = connection.rows<SpaceRow>('SELECT id, fingerprint, space, dimensions, filled FROM spaces ORDER BY id')
  const inputs = referencedInputs(connection)
  return rows.flatMap(({ id, fingerprint, space, dimensions, filled }) => {
    if (filled > inputs || (space === null && filled > 0))
      throw damaged('vectors do not fit the space or the counts they belong to')
    // Known only by a refused input.
    if (space === null) return []
    const failed = connection.value<number>(FAILED, id) ?? 0
    const coverage = { filled, missing: inputs - filled - failed, failed, isComplete: filled === inputs }
    return { fingerprint, space: JSON.parse(space), dimensions, ...coverage }
  })
}

function referencedInputs(connection: Connection): number {
  return connection.value<number>("SELECT value FROM counters WHERE name = 'referenced inputs'") ?? 0
}

/** Inputs in one query where some may be in jobs. */
const PAGE = 1_024

export interface MissingOptions {
  readonly limit: number
  readonly after?: string
  readonly retryFailed?: boolean
}

export function findMissingInputs(connection: Connection, fingerprint: string, options: MissingOptions): MissingInput[] {
  assertLimit(options.limit)
  const space = findSpace(connection, fingerprint)
  if (options.limit === 0 || isNoneMissing(connection, space, options)) return []
  const inJobs = inputsOfOpenJobs(connection, fingerprint)
  const missing: MissingInput[] = []
  // If jobs have most of them, small pages would need one query for each input of a job.
  const limit = inJobs.size === 0 ? options.limit : Math.max(options.limit, PAGE)
  let after = options.after
  while (missing.length < options.limit) {
    const page = missingPage(connection, space?.id ?? -1, { ...options, after, limit })
    missing.push(...page.filter(({ hash }) => !inJobs.has(hash)))
    if (page.length < limit) break
    after = page.at(-1)?.hash
  }
  // The counts contradict an empty result.
  if (missing.length === 0 && options.after === undefined && inJobs.size === 0) throw damaged('the counts of vectors are wrong')
  return missing.slice(0, options.limit)
}

/** Uses stored counts: searching for missing inputs would read every input. */
function isNoneMissing(connection: Connection, space: SpaceRow | undefined, { retryFailed = false }: MissingOptions): boolean {
  if (space === undefined) return referencedInputs(connection) === 0
  const { id, filled } = space
  const failed = retryFailed ? 0 : (connection.value<number>(FAILED, id) ?? 0)
  return filled + failed === referencedInputs(connection)
}

function missingPage(
  connection: Connection,
  space: number,
  {
    limit,
    after,
    retryFailed = false,
  }: { readonly limit: number; readonly after: string | undefined; readonly retryFailed?: boolean },
): MissingInput[] {
  const conditions = [
    'EXISTS (SELECT 1 FROM chunk_inputs r WHERE r.input = i.id)',
    'NOT EXISTS (SELECT 1 FROM vectors v WHERE v.space = ? AND v.input = i.id)',
  ]
  const values: Value[] = [space]
  if (!retryFailed) {
    conditions.push('NOT EXISTS (SELECT 1 FROM failures f WHERE f.space = ? AND f.input = i.id)')
    values.push(space)
  }
  if (after !== undefined) {
    conditions.push('i.hash > ?')
    values.push(after)
  }
  const sql = `SELECT i.hash, (SELECT min(r.chunk) FROM chunk_inputs r WHERE r.input = i.id) AS chunkId
    FROM inputs i WHERE ${conditions.join(' AND ')} ORDER BY i.hash LIMIT ?`
  return connection.rows(sql, ...values, limit)
}

function inputsOfOpenJobs(connection: Connection, fingerprint: string): ReadonlySet<string> {
  const sql = `SELECT input.value FROM jobs, json_each(jobs.job, '$.inputs') AS input
    WHERE jobs.fingerprint = ? AND jobs.state IN ('intended', 'submitted', 'unknown')`
  return new Set(connection.values<string>(sql, fingerprint))
}
