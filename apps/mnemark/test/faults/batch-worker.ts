// A process that fills vectors by batch jobs and may be killed at it: `node batch-worker.ts OPTIONS`. Says what came of it as JSON.
import { openBatchMemory } from './batch-memory.ts'
import type { FastTime } from './batch-memory.ts'
import { BATCH_SERVICES, withJobsOf } from './batch-services.ts'

export interface WorkerOptions {
  readonly file: string
  readonly count: number
  readonly time: FastTime
  /** Absent: texts alone are indexed. */
  readonly service?: { readonly name: string; readonly baseUrl: string; readonly maxRequests: number }
}

export interface WorkerReport {
  readonly filled: number
  readonly isComplete: boolean
  readonly degraded: readonly string[]
  readonly notes: readonly string[]
}

const options: WorkerOptions = JSON.parse(process.argv[2] ?? '{}')
const { service } = options
const adapter = service === undefined ? undefined : BATCH_SERVICES[service.name]
const provider =
  service === undefined || adapter === undefined ? undefined : withJobsOf(adapter.create(service.baseUrl), service.maxRequests)
const memory = await openBatchMemory({ ...options, ...(provider === undefined ? {} : { provider }) })

const report = await memory.sync()
const [space] = (await memory.status()).spaces
await memory.close()
const document: WorkerReport = {
  filled: space?.filled ?? 0,
  isComplete: report.isComplete,
  degraded: report.degraded.map(({ message }) => message),
  notes: report.notes ?? [],
}
process.stdout.write(`${JSON.stringify(document)}\n`)
