import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { answersOf, cleanState, differences, rowsOf } from './index-state.ts'
import { indexFileOf, openAt } from './open-index.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'
import { sampleNote } from './sample-notes.ts'

export const TASKS = ['index', 'merge', 'append', 'migrate', 'mend'] as const
export type Task = (typeof TASKS)[number]

export interface Round {
  readonly task: Task
  readonly seed: number
  /** Milliseconds from `ready` to the kill; null where the work was done before. */
  readonly killedAfterMs: number | null
  /** Losses, duplicates and leftovers; empty if all is well. */
  readonly problems: readonly string[]
}

const NOTES = 40
const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url))

/**
 * A workspace whose processes are killed at random moments, round after round. After each the next process must find an index that
 * answers, and a sync must make it equal to one that was built at once.
 */
export class KillRounds {
  readonly #root: string = mkdtempSync(join(tmpdir(), 'mnemark-faults-'))
  /** How long each task takes when nobody kills it, by what was seen so far. */
  readonly #durations = new Map<Task, number>()
  readonly #written: string[] = []

  constructor(seed: number) {
    mkdirSync(join(this.#root, 'notes', 'memory'), { recursive: true })
    writeFileSync(join(this.#root, 'notes', 'memory', 'log.md'), '# Log\n')
    const random = createRandom(seed)
    for (let number = 0; number < NOTES; number++) this.#write(random, number)
  }

  async run(task: Task, seed: number): Promise<Round> {
    const random = createRandom(seed)
    await this.#prepare(task, random)
    const killedAfterMs = await this.#kill(task, seed, random)
    const problems = [...this.#checkLog(), ...(await this.#checkIndex())]
    return { task, seed, killedAfterMs, problems }
  }

  close(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }

  #write(random: Random, number: number): void {
    writeFileSync(join(this.#root, 'notes', 'memory', `note-${number}.md`), sampleNote(random, number))
  }

  /** Prepares work for the task. */
  async #prepare(task: Task, random: Random): Promise<void> {
    const file = indexFileOf(this.#root)
    if (task === 'index' && random.below(3) === 0) rmSync(join(this.#root, 'notes', '.mnemark'), { recursive: true, force: true })
    if (task === 'index' || task === 'migrate') this.#change(random)
    if (task === 'migrate' || task === 'mend') await this.#sync()
    if (task === 'migrate') downgrade(file)
    if (task === 'mend') damage(file, random)
  }

  #change(random: Random): void {
    for (let count = 0; count < 25; count++) {
      const number = random.below(2 * NOTES)
      if (random.below(4) === 0) rmSync(join(this.#root, 'notes', 'memory', `note-${number}.md`), { force: true })
      else this.#write(random, number)
    }
  }

  async #sync(): Promise<void> {
    const open = await openAt(this.#root)
    await open.memory.sync()
    await open.close()
  }

  async #kill(task: Task, seed: number, random: Random): Promise<number | null> {
    const child = spawn(
      process.execPath,
      ['--conditions=mnemark-source', '--no-warnings', WORKER, task, this.#root, String(seed)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const expectedMs = this.#durations.get(task) ?? 300
    const afterMs = random.fraction() * expectedMs
    let readyAt = 0
    let doneAt: number | null = null
    let timer: NodeJS.Timeout | undefined
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (line) => {
      if (line.startsWith('wrote ')) this.#written.push(line.slice('wrote '.length))
      if (line === 'done') doneAt = performance.now() - readyAt
      if (line !== 'ready') return
      readyAt = performance.now()
      timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
    })
    const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
      child.on('close', (code, signal) => resolve({ code, signal })),
    )
    const { code, signal } = await ended
    clearTimeout(timer)
    if (signal === 'SIGKILL') {
      // Not seen to the end: the next kill of this task may come later.
      this.#durations.set(task, expectedMs * 1.2)
      return Math.round(afterMs)
    }
    if (code !== 0) throw new Error(`${task} of seed ${seed} failed by itself, code ${code}`)
    this.#durations.set(task, (doneAt ?? expectedMs) * 1.05)
    return null
  }

  /** Every entry that was reported stands there once, at most one more does, and no line is half. */
  #checkLog(): readonly string[] {
    const text = readFileSync(join(this.#root, 'notes', 'memory', 'log.md'), 'utf8')
    const entries = text.split('\n').filter((line) => line.includes('entry '))
    const words = entries.map((line) => /entry (q[a-z]{5}e)$/.exec(line)?.[1])
    const problems = this.#written.flatMap((word) => {
      const count = words.filter((found) => found === word).length
      return count === 1 ? [] : [`entry ${word} stands ${count} times in the log`]
    })
    if (words.includes(undefined)) problems.push('a line of the log is half')
    // The one that was written and not reported any more counts from now on.
    for (const word of words) if (word !== undefined && !this.#written.includes(word)) this.#written.push(word)
    return problems
  }

  async #checkIndex(): Promise<readonly string[]> {
    const problems: string[] = []
    const open = await openAt(this.#root)
    try {
      const reply = await open.memory.search({ text: 'zephyr glacier', limit: 5, caller: { agentId: 'main' } })
      if (reply.hits.length === 0 && !reply.stale)
        problems.push('the first search after the kill found nothing and did not say why')
      await open.memory.sync()
      const lease = await open.store.acquireLease('write', { signal: AbortSignal.timeout(10_000) })
      if (lease === null) problems.push('the lease of the killed process is still held')
      else await open.store.maintain(lease, { maxUnreferencedVectors: 0 })
      await lease?.release()
      const found = { rows: await rowsOf(open.store), answers: (await answersOf(open.memory)).answers }
      problems.push(...differences(found, await cleanState(this.#root)))
      problems.push(...(await open.store.check()).problems)
    } finally {
      await open.close()
    }
    return [...problems, ...leftovers(indexFileOf(this.#root))]
  }
}

/** Takes an index back to the first version of its format. */
function downgrade(file: string): void {
  const database = new Database(file)
  database.exec(`DROP TABLE vector_blocks; DROP TABLE vectors;
    CREATE TABLE vectors (id INTEGER PRIMARY KEY, space INTEGER NOT NULL, input INTEGER NOT NULL, vector BLOB, UNIQUE (space, input)) STRICT;
    ALTER TABLE spaces DROP COLUMN generation; ALTER TABLE spaces DROP COLUMN indexed;
    ALTER TABLE chunk_texts DROP COLUMN checksum; ALTER TABLE segments DROP COLUMN checksum;
    ALTER TABLE segment_blocks DROP COLUMN checksum; DELETE FROM counters WHERE name IN ('chunks', 'segments'); PRAGMA user_version = 1`)
  database.close()
}

const DAMAGE = [
  'DELETE FROM segment_blocks WHERE id % 2 = 0',
  'UPDATE segment_blocks SET bytes = randomblob(length(bytes))',
  'DELETE FROM chunk_texts WHERE id % 2 = 0',
  'DELETE FROM chunks',
  'DROP TABLE chunks',
]

function damage(file: string, random: Random): void {
  const database = new Database(file)
  database.unsafeMode()
  database.exec(random.pick(DAMAGE))
  database.close()
}

/** Rows that belong to nothing, and files that nobody will take away. */
function leftovers(file: string): readonly string[] {
  const database = new Database(file, { readonly: true })
  const blocks = database.prepare(
    "SELECT count(*) FROM segment_blocks WHERE segment NOT IN (SELECT id FROM segments WHERE state = 'live')",
  )
  const count = Number(blocks.pluck().get())
  database.close()
  const known = /^(?:\.gitignore|id|main\.sqlite(?:\.damaged-\d+)?(?:-wal|-shm)?)$/
  const files = readdirSync(join(file, '..')).filter((name) => !known.test(name))
  const copies = readdirSync(join(file, '..')).filter((name) => /damaged-\d+$/.test(name))
  return [
    ...(count === 0 ? [] : [`${count} blocks of no segment`]),
    ...files.map((name) => `left over: ${name}`),
    ...(copies.length > 2 ? [`${copies.length} damaged copies are kept`] : []),
  ]
}
