import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fingerprint } from '@mnemark/spec'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { type ProtocolServer, startProtocolServer } from '@mnemark/testkit'
import type { FastTime } from './batch-memory.ts'
import { BATCH_KEY, BATCH_SERVICES } from './batch-services.ts'
import type { MemoryReport } from './batch-memory-worker.ts'
import type { WorkerOptions, WorkerReport } from './batch-worker.ts'
import { isVectorOf } from './is-vector-of.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'

const WORKER = fileURLToPath(new URL('batch-worker.ts', import.meta.url))
const MEMORY_WORKER = fileURLToPath(new URL('batch-memory-worker.ts', import.meta.url))
const HOUR_MS = 3_600_000
const MS_PER_REQUEST = 1_000
/** Lists of the service show nothing younger. */
const LIST_LAG_MS = 3_000
/** So fast do the clocks of the processes go: a wait of two minutes is over in a second. */
const FACTOR = 120

export interface BatchRoundOptions {
  readonly service: string
  readonly texts: number
  readonly kills: number
  readonly seed: number
  /** Texts of one job. */
  readonly maxRequests: number
}

export interface BatchRounds {
  readonly killed: number
  readonly jobs: number
  readonly problems: readonly string[]
}

/** Kills processes that fill vectors by batch jobs, then lets one finish, and looks at what the service and the index have. */
export async function killBatches(options: BatchRoundOptions): Promise<BatchRounds> {
  const { service: name, texts, kills, seed, maxRequests } = options
  const service = BATCH_SERVICES[name]
  if (service === undefined) throw new TypeError(`no service ${name}`)
  const random = createRandom(seed)
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-batch-'))
  const server = await startProtocolServer(service.wire, { apiKey: BATCH_KEY })
  // Jobs last long enough for all kills to meet them.
  server.batch.clock.msPerRequest = MS_PER_REQUEST
  server.batch.behave({ listLagMs: LIST_LAG_MS })
  const beginMs = Date.now()
  const worker = (aheadMs = 0): WorkerOptions => ({
    file: join(folder, 'index.sqlite'),
    count: texts,
    time: { beginMs, factor: FACTOR, aheadMs },
    service: { name, baseUrl: server.baseUrl, maxRequests },
  })
  try {
    const { service: _, ...textsOnly } = worker()
    await finish(textsOnly)
    let killed = 0
    for (let round = 0; round < kills; round++) if (await killOnce(worker(), server, random)) killed++
    const last = await finishAll(worker, server)
    const problems = [
      ...problemsOf(last, texts),
      ...problemsAtService(server, texts),
      ...(await problemsOfIndex(worker(), service)),
    ]
    return { killed, jobs: server.batch.log.filter(({ what }) => what === 'create').length, problems }
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A process, killed after a random number of its requests and a random moment more. False where it was done before. */
async function killOnce(options: WorkerOptions, server: ProtocolServer, random: Random): Promise<boolean> {
  const child = start(options)
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)))
  const isOver = ended.then(() => true)
  for (let requests = 1 + random.below(14); requests > 0; requests--)
    if (await Promise.race([server.arrival().then(() => false), isOver])) break
  await Promise.race([delay(random.below(40)), isOver])
  child.kill('SIGKILL')
  return (await ended) === 'SIGKILL'
}

/** Until nothing is missing; what cannot be known before a job's window has passed waits for that. */
async function finishAll(worker: (aheadMs?: number) => WorkerOptions, server: ProtocolServer): Promise<WorkerReport> {
  let aheadMs = 0
  for (let tries = 0; ; tries++) {
    const report = await finish(worker(aheadMs))
    if ((report.isComplete && tries > 0) || tries >= 6) return report
    aheadMs += 50 * HOUR_MS
    server.batch.clock.advance(50 * HOUR_MS)
  }
}

const start = (options: WorkerOptions): ChildProcess => run(WORKER, JSON.stringify(options))

function run(program: string, ...words: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['--conditions=mnemark-source', '--no-warnings', program, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

const finish = (options: WorkerOptions): Promise<WorkerReport> => answerOf(start(options))

/** The one document a process prints. */
async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  if (child.stdout === null) throw new Error('the process has no output')
  const [output] = await Promise.all([text(child.stdout), new Promise((resolve) => child.once('exit', resolve))])
  return JSON.parse(output)
}

function problemsOf({ filled, degraded, isComplete }: WorkerReport, texts: number): readonly string[] {
  return filled === texts && isComplete ? [] : [`${filled} of ${texts} texts have a vector: ${degraded.join(' ')}`]
}

function problemsAtService({ batch, calls }: ProtocolServer, texts: number): readonly string[] {
  const twice = [...batch.timesSubmitted.values()].filter((times) => times > 1).length
  return [
    ...(twice > 0 ? [`${twice} texts were submitted more than once`] : []),
    ...(batch.timesSubmitted.size === texts ? [] : [`${batch.timesSubmitted.size} of ${texts} texts were submitted`]),
    ...(batch.leftovers.length > 0 ? [`left at the service: ${batch.leftovers.join(', ')}`] : []),
    ...(calls.length > 0 ? [`${calls.length} requests outside of jobs`] : []),
  ]
}

/** Each text has the vector that the service has for it. */
async function problemsOfIndex(
  { file, service: at }: WorkerOptions,
  service: (typeof BATCH_SERVICES)[string],
): Promise<readonly string[]> {
  const store = await openSqliteStore({ path: file })
  const snapshot = await store.snapshot()
  try {
    const { space } = service.create(at?.baseUrl ?? '')
    const vectors = new Map<string, Float32Array | null>()
    for await (const { hash, vector } of snapshot.exportVectors(fingerprint(space))) vectors.set(hash, vector)
    let wrong = 0
    for await (const document of snapshot.documents())
      for (const { text: words, inputs } of await snapshot.chunksOf(document))
        if (!isVectorOf(vectors.get(inputs[0] ?? ''), words, service.dimensions)) wrong++
    const open = (await store.jobs.list()).filter(({ state }) => state !== 'cleaned' && state !== 'abandoned')
    return [
      ...(open.length > 0 ? [`jobs that are not over: ${open.map(({ state }) => state).join(', ')}`] : []),
      ...(wrong > 0 ? [`${wrong} texts have no vector, or that of another`] : []),
    ]
  } finally {
    snapshot.release()
    await store.close()
  }
}

/** One unkilled run over so many texts with vectors of the model's full length; its memory above idle is reported. */
export async function measureBatchMemory(texts: number): Promise<MemoryReport> {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-batch-'))
  const service = BATCH_SERVICES['openai-full']
  if (service === undefined) throw new TypeError('no service')
  const server = await startProtocolServer(service.wire, { apiKey: BATCH_KEY })
  server.batch.clock.msPerRequest = 20_000
  const time: FastTime = { beginMs: Date.now(), factor: FACTOR, aheadMs: 0 }
  const file = join(folder, 'index.sqlite')
  try {
    await finish({ file, count: texts, time })
    return await answerOf(run(MEMORY_WORKER, file, server.baseUrl))
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
