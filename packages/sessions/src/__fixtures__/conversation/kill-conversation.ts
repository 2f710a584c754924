import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openSessions } from '../../sessions/open-sessions.ts'
import { TIME_ZONE, turnAt } from './turns.ts'

export interface ConversationOptions {
  readonly turns: number
  readonly turnsPerDay: number
  /** A worker is killed after so many turns. */
  readonly turnsPerKill: number
}

export interface ConversationReport {
  readonly kills: number
  readonly sessions: number
  readonly compactions: number
  readonly flushed: number
  /** Empty where nothing was lost or doubled. */
  readonly faults: readonly string[]
}

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url))
const KEY = 'agent:main:main'

/** Lets processes say a conversation, kills them again and again, and looks for what was lost or doubled. */
export async function killConversation(options: ConversationOptions): Promise<ConversationReport> {
  const root = mkdtempSync(join(tmpdir(), 'mnemark-conversation-'))
  mkdirSync(join(root, 'notes', 'memory'), { recursive: true })
  try {
    const faults: string[] = []
    let kills = 0
    for (let next = 0; next < options.turns; ) {
      const until = Math.min(options.turns, next + options.turnsPerKill)
      const said = await runWorker(root, { from: next, until, options, faults })
      if (said < options.turns) kills += 1
      next = said
    }
    const found = await inspect(root, options)
    return { ...found, kills, faults: [...faults, ...found.faults] }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

interface Run {
  readonly from: number
  readonly until: number
  readonly options: ConversationOptions
  readonly faults: string[]
}

/** The next turn to say: the killed process may have said a part of it already. */
async function runWorker(root: string, { from, until, options, faults }: Run): Promise<number> {
  const argv = ['--conditions=mnemark-source', '--no-warnings', WORKER, root, String(from), String(options.turns), String(options.turnsPerDay)]
  const worker = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  worker.stderr.on('data', (text: Buffer) => (errors += text.toString('utf8')))
  let next = from
  for await (const line of createInterface({ input: worker.stdout })) {
    if (line.startsWith('fault ')) faults.push(line)
    if (line.startsWith('said ')) next = Number(line.slice(5)) + 1
    // It goes on saying turns until the signal reaches it, at whatever place.
    if (next >= until && until < options.turns) worker.kill('SIGKILL')
  }
  if (errors !== '') faults.push(errors.slice(0, 1_000))
  if (errors !== '') return options.turns
  return next
}

async function inspect(root: string, { turns, turnsPerDay }: ConversationOptions): Promise<Omit<ConversationReport, 'kills'>> {
  const sessions = await openSessions({ folder: join(root, 'sessions'), timeZone: TIME_ZONE })
  const expected = Array.from({ length: turns }, (_, number) => turnAt(number, turnsPerDay).steps.flat()).flat()
  const ids: string[] = []
  for await (const { id } of sessions.history(KEY, { branches: true })) ids.push(id)
  const faults = missingOrDoubled(
    'message',
    expected.map(({ id }) => id ?? ''),
    ids,
  )
  if (ids.join() !== expected.map(({ id }) => id).join()) faults.push('the messages are not in order')
  const records = sessions.find(KEY)
  const totals = [0, 1, 2, 3].map((at) => records.reduce((sum, { counters }) => sum + counters.totals[at]!, 0))
  const sums = (['input', 'output', 'cacheRead', 'cacheWrite'] as const).map((name) =>
    expected.reduce((sum, { usage }) => sum + (usage?.[name] ?? 0), 0),
  )
  if (totals.join() !== sums.join()) faults.push(`totals are ${totals.join()}, not ${sums.join()}`)
  const flushed = flushedTexts(join(root, 'sessions'))
  const memory = join(root, 'notes', 'memory')
  const notes = readdirSync(memory).flatMap((file) => readFileSync(join(memory, file), 'utf8').match(/kept [\da-f-]{36}/gu) ?? [])
  faults.push(...missingOrDoubled('flushed text', flushed, notes))
  await sessions.close()
  const compactions = records.reduce((sum, { counters }) => sum + counters.compactions, 0)
  return { sessions: records.length, compactions, flushed: flushed.length, faults }
}

function missingOrDoubled(what: string, expected: readonly string[], found: readonly string[]): string[] {
  const counts = new Map<string, number>(expected.map((one) => [one, 0]))
  for (const one of found) counts.set(one, (counts.get(one) ?? Number.NaN) + 1)
  return [...counts].filter(([, count]) => count !== 1).map(([one, count]) => `${what} ${one} is there ${count} times`)
}

function flushedTexts(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
    .filter((line) => line.includes('"state":"ahead","path"'))
    .flatMap((line) => /kept [\da-f-]{36}/u.exec(line)?.[0] ?? [])
}
