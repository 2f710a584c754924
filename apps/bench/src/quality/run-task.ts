import { createMemory } from '@mnemark/core'
import type { MemoryStore, SearchHit } from '@mnemark/spec'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { createInMemoryStore } from '@mnemark/testkit'
import { idealGainsOf, type Metrics, scoreRanking } from './metrics.ts'
import { createNoteSource } from './note-source.ts'
import type { GoldPlace, Question, Task } from './task.ts'
import type { Variant } from './variants.ts'

export type StoreKind = 'memory' | 'sqlite'

export interface RunOptions {
  readonly store: StoreKind
  readonly variant: Variant
  /** Asks the first question and every so manyth after it; 1 asks all. */
  readonly every: number
}
export interface QuestionResult {
  readonly id: string
  readonly type: string
  readonly metrics: Metrics
}
export interface TaskResult {
  readonly units: number
  readonly questions: readonly QuestionResult[]
}

const HITS = 10
/** After the last dated note of every set: relative dates ("last week") must not depend on the day of the run. */
const NOW_MS = Date.UTC(2024, 0, 1)

type Unit = Pick<SearchHit, 'path' | 'startLine' | 'endLine'>

function holds(unit: Unit, { path, line }: GoldPlace): boolean {
  return unit.path === path && (line === undefined || (unit.startLine <= line && line <= unit.endLine))
}

function placesIn(unit: Unit, gold: readonly GoldPlace[]): readonly number[] {
  return gold.flatMap((place, index) => (holds(unit, place) ? [index] : []))
}

/** The chunks the product made, by path: what a perfect ranking could return. */
async function readUnits(store: MemoryStore): Promise<ReadonlyMap<string, readonly Unit[]>> {
  const units = new Map<string, readonly Unit[]>()
  const snapshot = await store.snapshot()
  try {
    for await (const document of snapshot.documents()) {
      const chunks = await snapshot.chunksOf(document)
      units.set(
        document.path,
        chunks.map(({ startLine, endLine }) => ({ path: document.path, startLine, endLine })),
      )
    }
  } finally {
    snapshot.release()
  }
  return units
}

function idealGains({ gold }: Question, units: ReadonlyMap<string, readonly Unit[]>): readonly number[] {
  const paths = [...new Set(gold.map(({ path }) => path))]
  const holding = paths.flatMap((path) => units.get(path) ?? []).map((unit) => placesIn(unit, gold))
  return idealGainsOf(holding.filter((places) => places.length > 0))
}

/** Gold marks that name one line twice count once. */
function distinct(gold: readonly GoldPlace[]): readonly GoldPlace[] {
  return [...new Map(gold.map((place) => [`${place.path}:${place.line ?? ''}`, place])).values()]
}

/** Indexes the notes of one task and asks its questions, ten hits each, with the product's own pipeline. */
export async function runTask(task: Task, { store: kind, variant, every }: RunOptions): Promise<TaskResult> {
  const store = kind === 'sqlite' ? await openSqliteStore({ path: ':memory:' }) : createInMemoryStore()
  const memory = await createMemory(
    {
      store,
      sources: [createNoteSource(task.notes)],
      reader: { read: async ({ path }) => ({ path, status: 'not-found', text: '', startLine: 0, endLine: 0 }) },
      settings: { timeZone: 'UTC', ...task.settings, ...variant.settings },
      now: () => NOW_MS,
    },
    variant.tuning,
  )
  try {
    const report = await memory.sync()
    const units = await readUnits(store)
    const questions: QuestionResult[] = []
    for (const question of task.questions.filter((_, index) => index % every === 0)) {
      const { hits } = await memory.search({ text: question.text, limit: HITS, caller: { agentId: 'main' } })
      const gold = distinct(question.gold)
      const ranking = hits.map((hit) => placesIn(hit, gold))
      const metrics = scoreRanking(ranking, gold.length, idealGains({ ...question, gold }, units))
      questions.push({ id: question.id, type: question.type, metrics })
    }
    return { units: report.chunks, questions }
  } finally {
    await memory.close()
  }
}
