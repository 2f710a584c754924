/** The cost of appending to transcripts: `pnpm bench:sessions`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSessions, type Sessions, type SyncPolicy } from '@mnemark/sessions'
import { BadUse, runCommand } from './report/bad-use.ts'
import { describeMachine, provenance } from './report/machine.ts'
import { plainTable } from './report/table.ts'

const USAGE = `usage: pnpm bench:sessions [--appends 2000] [--sessions 10000]

  --appends   to one transcript, with each policy of fsync
  --sessions  in one folder; each says something four times in turn`

function counted(option: string, value: string): number {
  const count = Number(value)
  if (!Number.isSafeInteger(count) || count < 1)
    throw new BadUse(`--${option}: expected a number from 1, got ${value}\n\n${USAGE}`)
  return count
}

const POLICIES: readonly SyncPolicy[] = ['never', 'interval', 'always']
const TEXT = 'The team lunch by the river moves to one, for twelve people. '.repeat(8)

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-bench-sessions-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Milliseconds of each append, the quickest first. */
async function timesOf(fsync: SyncPolicy, appends: number): Promise<readonly number[]> {
  return await inFolder(async (folder) => {
    await using sessions = await openSessions({ folder, fsync })
    const session = await sessions.openSession('agent:main:main')
    const times: number[] = []
    for (let number = 0; number < appends; number += 1) {
      const start = performance.now()
      await session.append({ role: 'user', content: `${number} ${TEXT}` })
      times.push(performance.now() - start)
    }
    return times.toSorted((left, right) => left - right)
  })
}

const ROUNDS = 4

/** Bytes written for an append among so many sessions, sessions.json included, on a clock that goes a second an append. */
async function bytesPerAppend(count: number): Promise<number> {
  return await inFolder(async (folder) => {
    let nowMs = Date.parse('2026-03-01T10:00:00Z')
    await using sessions = await openSessions({ folder, fsync: 'never', reset: { mode: 'off' }, now: () => (nowMs += 1_000) })
    await sayInTurn(sessions, count)
    const before = sessions.io.written
    for (let round = 0; round < ROUNDS; round += 1) await sayInTurn(sessions, count)
    return (sessions.io.written - before) / (count * ROUNDS)
  })
}

async function sayInTurn(sessions: Sessions, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const session = await sessions.openSession(`agent:main:chat:direct:${String(number).padStart(6, '0')}`)
    await session.append({ role: 'user', content: 'hello there' })
  }
}

await runCommand(async () => {
  const { values } = parseArgs({
    options: { appends: { type: 'string' }, sessions: { type: 'string' }, help: { type: 'boolean' } },
  })
  if (values.help === true) return console.log(USAGE)
  const appends = counted('appends', values.appends ?? '2000')
  const most = counted('sessions', values.sessions ?? '10000')
  const rows: string[][] = []
  for (const policy of POLICIES) {
    const times = await timesOf(policy, appends)
    const at = (share: number): string => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(2)
    rows.push([policy, at(0.5), at(0.95), at(0.99)])
  }
  const isNumber = true
  const columns = [
    { title: 'fsync' },
    { title: 'median ms', isNumber },
    { title: '95 % ms', isNumber },
    { title: '99 % ms', isNumber },
  ]
  console.log(plainTable({ columns, rows }))
  const counts = [...new Set([Math.ceil(most / 100), Math.ceil(most / 10), most])]
  const written: string[][] = []
  for (const count of counts) written.push([String(count), (await bytesPerAppend(count)).toFixed(0)])
  console.log(
    `\n${plainTable({
      columns: [
        { title: 'sessions', isNumber },
        { title: 'bytes an append', isNumber },
      ],
      rows: written,
    })}`,
  )
  console.log(`\n${provenance(describeMachine(), 'pnpm bench:sessions')}`)
  console.log(
    `${appends} appends of ${TEXT.length} characters to one transcript; then ${ROUNDS} rounds of "hello there" in every session.`,
  )
})
