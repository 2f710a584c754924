// `pnpm test:load [SECONDS] [SEED]`: a server under 50 searches at a time while 1,000 notes change, then under 10,000 idle connections.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { serveConfig, ServeProcess } from '../harness/serve-process.ts'
import { idleCrowd } from './idle-crowd.ts'
import { MadeNotes } from './made-notes.ts'
import { searchLoad } from './search-load.ts'

const NOTES = 2_000
const CHANGES = 1_000
const CLIENTS = 50
const CROWD = 10_000
const MAX_RATIO = 3
const MAX_GROWTH = 1.25

const seconds = Number(process.argv[2] ?? 60)
const seed = Number(process.argv[3] ?? 20_261_130)
const workspace = mkdtempSync(join(tmpdir(), 'mnemark-load-'))
const notes = new MadeNotes(workspace, seed)
for (let number = 0; number < NOTES; number += 1) notes.write(number)
mkdirSync(join(workspace, '.config/mnemark'), { recursive: true })
writeFileSync(
  join(workspace, '.config/mnemark/mnemark.json5'),
  serveConfig({ requestsPerMinute: 10_000_000 }, { provider: 'none' }),
)
const server = await ServeProcess.start({
  workspace,
  environment: () => ({
    PATH: process.env.PATH ?? '',
    HOME: workspace,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
  }),
})
const problems: string[] = []
try {
  await server.post('/v1/sync', {})
  const { body } = await server.get('/v1/status')
  console.log(`${NOTES} notes, ${JSON.stringify((body as { chunks: number }).chunks)} chunks, ${seconds} s each, seed ${seed}`)
  const query = (): string => notes.words(3)
  const alone = await timed(1, Math.min(10, seconds))
  const idle = await timed(CLIENTS, seconds)
  const memory: number[] = []
  const changed = changeNotes(seconds * 1_000, memory)
  const busy = await timed(CLIENTS, seconds)
  await changed
  console.log(`one client:          ${line(alone)}`)
  console.log(`${CLIENTS}, files at rest:   ${line(idle)}`)
  console.log(`${CLIENTS}, ${CHANGES} changes: ${line(busy)}`)
  const ratio = busy.p95Ms / idle.p95Ms
  const [early, late] = [
    median(memory.slice(Math.floor(memory.length / 5), Math.floor((memory.length * 2) / 5))),
    median(memory.slice(-Math.ceil(memory.length / 5))),
  ]
  console.log(
    `p95 ${ratio.toFixed(2)} times that at rest; memory ${early} MB early, ${late} MB late, ${Math.max(...memory)} MB at most`,
  )
  for (const load of [alone, idle, busy]) problems.push(...load.errors)
  if (ratio > MAX_RATIO) problems.push(`p95 under changes is ${ratio.toFixed(2)} times that at rest`)
  if (late > early * MAX_GROWTH) problems.push(`memory grew from ${early} to ${late} MB`)
  await server.post('/v1/sync', {})
  const { body: after } = await server.get('/v1/status')
  if ((after as { isDirty: boolean }).isDirty) problems.push('the index lags behind the files at the end')

  const crowd = await idleCrowd(server, CROWD)
  console.log(
    `${CROWD} idle connections: ${crowd.open} open at the end, a search answered after ${crowd.answeredAfterMs} ms, memory ${residentMB()} MB`,
  )

  async function timed(clients: number, forSeconds: number): ReturnType<typeof searchLoad> {
    const end = performance.now() + forSeconds * 1_000
    return searchLoad(server, clients, { query, isOver: () => performance.now() > end })
  }
} finally {
  const { code } = await server.stop('SIGTERM')
  if (code !== 0) problems.push(`the server ended with ${code}`)
  rmSync(workspace, { recursive: true, force: true })
}
for (const [problem, count] of Map.groupBy(problems, (text) => text)) console.log(`${count.length} times: ${problem}`)
console.log(problems.length === 0 ? 'no error' : `${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1

/** Writes notes anew, evenly over the time, and looks at the memory meanwhile. */
async function changeNotes(ms: number, memory: number[]): Promise<void> {
  const startedAt = performance.now()
  for (let change = 0; change < CHANGES; change += 1) {
    const due = startedAt + (change * ms) / CHANGES
    await wait(Math.max(0, due - performance.now()))
    notes.write((change * 7) % NOTES)
    if (change % 20 === 0) memory.push(residentMB())
  }
}

function residentMB(): number {
  return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(server.pid)], { encoding: 'utf8' })) / 1_024)
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
}

function line({ searches, p50Ms, p95Ms, staleShare }: Awaited<ReturnType<typeof searchLoad>>): string {
  return `${searches} searches, p50 ${p50Ms} ms, p95 ${p95Ms} ms, ${(staleShare * 100).toFixed(1)} % stale`
}
