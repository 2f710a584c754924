import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemory } from '@mnemark/core'
import { checkKeywords } from '@mnemark/core/doctor'
import type { DocumentSource, KeywordBlock, MemoryBackend, MemoryStore } from '@mnemark/spec'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { createInMemoryStore } from '@mnemark/testkit'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'
import { ownWord, QUERIES, sampleNote } from './sample-notes.ts'

// Whatever was written, removed, moved, killed and merged, by one process or two: the index ranks as one that was made at once.

const NOW = Date.UTC(2026, 10, 30)
const NOTES = 30
const LOGS = 10
const ENTRIES_A_LOG = 30
const LEAST_DEAD = 0.3
/** Scores that differ by no more are the same. */
const PRECISION = 1e-6

/** Where a process ends: its transaction rolled back, its merge not begun, or its merge half written. */
const KILLS = ['in-commit', 'behind-commit', 'before-merge', 'in-merge'] as const
type Kill = (typeof KILLS)[number]

class Killed extends Error {}

export interface HistoryReport {
  /** Each way in which an answer differs from that of a clean index. */
  readonly problems: readonly string[]
  readonly kills: number
  /** Share of dead chunks in the index that was compared first. */
  readonly deadShare: number
  readonly searches: number
}

type Notes = Map<string, string>
type Answers = ReadonlyMap<string, readonly { readonly place: string; readonly score: number }[]>

function logOf(random: Random, log: number): string {
  const first = random.below(2) * ENTRIES_A_LOG
  // Alike in length and in all words but one: 300 of them have one score.
  return Array.from({ length: ENTRIES_A_LOG }, (_, at) => `- rent paid ${ownWord(1_000 * log + first + at)}\n`).join('\n')
}

const logPath = (log: number): string => `memory/2026-${String(1 + (log % 5)).padStart(2, '0')}-${String(10 + log)}.md`
const notePath = (number: number): string => `notes/${number}.md`

function sourceOf(notes: Notes): DocumentSource {
  return {
    id: 'memory',
    async *list() {
      for (const [path, text] of notes) {
        yield { source: 'memory', path, size: text.length, modifiedAtMs: 0, version: `${fold(text)}` }
      }
    },
    read: async ({ path }) => ({ text: notes.get(path) ?? '' }),
  }
}

/** Tells two versions of a note apart, in every process alike. */
function fold(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0
  return sum
}

function open(store: MemoryStore, notes: Notes): Promise<MemoryBackend> {
  return createMemory({
    store,
    sources: [sourceOf(notes)],
    reader: { read: () => Promise.reject(new Error('nothing is read')) },
    settings: { timeZone: 'UTC', chunkTokens: 12, chunkOverlap: 0, syncOnSearch: false },
    now: () => NOW,
  })
}

async function* cutShort(blocks: AsyncIterable<KeywordBlock>, after: number): AsyncIterable<KeywordBlock> {
  let count = 0
  for await (const block of blocks) {
    if (count++ === after) throw new Killed()
    yield block
  }
  throw new Killed()
}

const ENDINGS: Readonly<Record<Kill, (store: MemoryStore, random: Random) => Partial<MemoryStore>>> = {
  'in-commit': (store) => ({
    apply: (lease, changes) =>
      store.apply(lease, {
        ...changes,
        segments: () => {
          throw new Killed()
        },
      }),
  }),
  'behind-commit': (store) => ({
    apply: async (lease, changes) => {
      await store.apply(lease, changes)
      throw new Killed()
    },
  }),
  'before-merge': () => ({ replaceSegments: () => Promise.reject(new Killed()) }),
  'in-merge': (store, random) => ({
    replaceSegments: (lease, drop, put) =>
      store.replaceSegments(lease, drop, { ...put, blocks: cutShort(put.blocks, random.below(4)) }),
  }),
}

/** The store of a process that ends at this point of its next sync. */
function killedAt(store: MemoryStore, kill: Kill, random: Random): MemoryStore {
  const members = ENDINGS[kill](store, random)
  return new Proxy(store, {
    get(target, key) {
      const member: unknown = Reflect.get(key in members ? members : target, key)
      return typeof member === 'function' && !(key in members) ? member.bind(target) : member
    },
  })
}

/** Two processes stay, with all that they remember; others come, work on the same file, and are killed. */
class History {
  readonly notes: Notes = new Map()
  readonly #random: Random
  readonly #path: string
  readonly #stayers: { readonly store: MemoryStore; readonly memory: MemoryBackend }[] = []
  kills = 0

  constructor(random: Random, path: string) {
    this.#random = random
    this.#path = path
  }

  async begin(): Promise<void> {
    for (let log = 0; log < LOGS; log++) this.notes.set(logPath(log), logOf(this.#random, log))
    for (let number = 0; number < NOTES; number++) this.notes.set(notePath(number), sampleNote(this.#random, number))
    for (let process = 0; process < 2; process++) {
      const store = await openSqliteStore({ path: this.#path })
      this.#stayers.push({ store, memory: await open(store, this.notes) })
    }
  }

  get memories(): readonly MemoryBackend[] {
    return this.#stayers.map(({ memory }) => memory)
  }

  async step(): Promise<void> {
    for (let count = 1 + this.#random.below(6); count > 0; count--) this.#change()
    if (this.#random.below(3) === 0) await this.sync(this.#random.pick(KILLS))
    else await this.sync()
    // Caches filled here must not outlive their subject.
    if (this.#random.below(2) === 0) await answersOf(this.#random.pick(this.memories), QUERIES.slice(0, 3))
  }

  async sync(kill?: Kill): Promise<void> {
    if (kill === undefined) return void (await this.#random.pick(this.memories).sync())
    const store = await openSqliteStore({ path: this.#path })
    const memory = await open(killedAt(store, kill, this.#random), this.notes)
    try {
      await memory.sync()
    } catch (error) {
      if (!(error instanceof Killed)) throw error
      this.kills++
    } finally {
      await memory.close()
      await store.close()
    }
  }

  /** Until so much is dead: each round leaves the old chunks of some logs and notes behind, and nothing is merged. */
  async neglect(): Promise<number> {
    for (;;) {
      await this.sync('before-merge')
      const { chunks, dead } = await this.#look(1)
      const share = dead / (chunks + dead)
      if (share >= LEAST_DEAD) return share
      for (let count = 0; count < 4; count++) this.#rewriteLog(this.#random.below(LOGS))
      for (let count = 0; count < 8; count++) this.#change()
    }
  }

  /** The doctor's findings. */
  async findings(seed: number): Promise<readonly string[]> {
    return (await this.#look(seed)).problems
  }

  async #look(seed: number) {
    const snapshot = await this.#stayers[0]?.store.snapshot()
    if (!snapshot) throw new Error('the history has begun')
    try {
      return await checkKeywords(snapshot, { seed })
    } finally {
      snapshot.release()
    }
  }

  async end(): Promise<void> {
    for (const { store, memory } of this.#stayers) {
      await memory.close()
      await store.close()
    }
  }

  #rewriteLog(log: number): void {
    this.notes.set(logPath(log), logOf(this.#random, log))
  }

  #change(): void {
    const random = this.#random
    const number = random.below(2 * NOTES)
    const path = notePath(number)
    const kind = random.below(8)
    if (kind === 0) this.notes.delete(path)
    else if (kind === 1) this.#rewriteLog(random.below(LOGS))
    else if (kind === 2) this.#move(path, `moved/${random.below(NOTES)}.md`)
    else this.notes.set(path, sampleNote(random, number))
  }

  #move(from: string, to: string): void {
    const text = this.notes.get(from)
    if (text === undefined) return
    this.notes.delete(from)
    this.notes.set(to, text)
  }
}

const ASKED: readonly string[] = [
  ...QUERIES,
  'rent paid',
  'rent*',
  'paid zephyr',
  '"rent paid"',
  'qqqqx2',
  'notes/3.md',
  '5',
  '会',
]

async function answersOf(memory: MemoryBackend, queries: readonly string[] = ASKED): Promise<Answers> {
  const answers = new Map<string, { place: string; score: number }[]>()
  for (const [at, text] of queries.entries()) {
    const { hits } = await memory.search({ text, limit: at % 2 === 0 ? 5 : 30, caller: { agentId: 'main' } })
    const ranked = hits.map(({ path, startLine, endLine, score }) => ({ place: `${path}#${startLine}-${endLine}`, score }))
    answers.set(text, ranked)
  }
  return answers
}

function differences(found: Answers, clean: Answers, when: string): readonly string[] {
  return [...clean].flatMap(([query, expected]) => {
    const hits = found.get(query) ?? []
    const at = expected.findIndex(
      ({ place, score }, index) => hits[index]?.place !== place || Math.abs((hits[index]?.score ?? 0) - score) > PRECISION,
    )
    if (at === -1 && hits.length === expected.length) return []
    const shown = (hit: { readonly place: string; readonly score: number } | undefined): string =>
      hit ? `${hit.place} ${hit.score}` : 'nothing'
    return [`${when}, "${query}": hit ${at + 1} is ${shown(hits[at])}, not ${shown(expected[at])}`]
  })
}

async function cleanAnswers(notes: Notes): Promise<Answers> {
  const store = createInMemoryStore()
  const memory = await open(store, notes)
  try {
    await memory.sync()
    return await answersOf(memory)
  } finally {
    await memory.close()
    await store.close()
  }
}

export async function runHistory(seed: number): Promise<HistoryReport> {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-history-'))
  const random = createRandom(seed)
  const history = new History(random, join(folder, 'index.sqlite'))
  try {
    await history.begin()
    for (let step = 4 + random.below(6); step > 0; step--) await history.step()
    const deadShare = await history.neglect()
    const clean = await cleanAnswers(history.notes)
    const problems = [...(await history.findings(seed))]
    for (const [process, memory] of history.memories.entries())
      problems.push(...differences(await answersOf(memory), clean, `process ${process}, nothing merged`))
    await history.sync()
    problems.push(...differences(await answersOf(random.pick(history.memories)), clean, 'merged'))
    return { problems, kills: history.kills, deadShare, searches: 3 * clean.size }
  } finally {
    await history.end()
    rmSync(folder, { recursive: true, force: true })
  }
}
