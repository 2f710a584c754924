import type { BatchJob } from '@mnemark/spec'
import { canonicalJson, fingerprint } from '@mnemark/spec'
import type { Connection } from '../connection/connection.ts'

export function putJob(connection: Connection, job: BatchJob): void {
  connection.run(
    'INSERT OR REPLACE INTO jobs (marker, created_at, fingerprint, state, job) VALUES (?, ?, ?, ?, ?)',
    job.marker,
    job.createdAt,
    fingerprint(job.space),
    job.state,
    canonicalJson(job),
  )
}

export function removeJob(connection: Connection, marker: string): void {
  connection.run('DELETE FROM jobs WHERE marker = ?', marker)
}

/** Oldest first. */
export function listJobs(connection: Connection): BatchJob[] {
  return connection.values<string>('SELECT job FROM jobs ORDER BY created_at, marker').map((job) => JSON.parse(job))
}
