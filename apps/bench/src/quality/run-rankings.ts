import { createMemory } from '@mnemark/core'
import type { EmbeddingProvider, MemoryBackend, MemoryStore, SearchReply } from '@mnemark/spec'
import { median } from '../speed/statistics.ts'
import { AnswerKey } from './tasks/answer-key.ts'
import type { Ranking } from './rankings.ts'
import type { QuestionResult } from './run-task.ts'
import { type SetResult, setResult } from './set-result.ts'
import type { EvaluationSet, Question, Task } from './tasks/task.ts'
import { ask, memoryOptions, openStore, someQuestions, type StoreKind } from './tasks/task-memory.ts'

export interface RankingOptions {
  readonly store: StoreKind
  readonly every: number
  readonly provider: EmbeddingProvider
  readonly rankings: readonly Ranking[]
}
/** A set as one ranking answered it. */
export interface RankedSet extends SetResult {
  /** Median CPU time of one search, from the question with its vector to the snippets. */
  readonly searchMs: number
}
export interface RankingResults {
  readonly name: string
  readonly results: readonly RankedSet[]
}

interface Answers {
  readonly ranking: Ranking
  readonly memory: MemoryBackend
  readonly questions: QuestionResult[]
  readonly searchMs: number[]
}
interface RankedTask {
  readonly units: number
  readonly answers: readonly Omit<Answers, 'memory'>[]
}

function pipelineMs({ timing }: SearchReply): number {
  return Object.values(timing).reduce((sum, ms) => sum + ms, 0)
}

async function fillIndex(task: Task, store: MemoryStore, provider: EmbeddingProvider): Promise<number> {
  const memory = await createMemory({ ...memoryOptions(task, { store }), embeddings: [provider], closes: [provider] })
  const { chunks, isComplete, degraded } = await memory.sync()
  if (!isComplete) throw new Error(`${task.name} has texts without a vector: ${degraded.map(({ message }) => message).join(' ')}`)
  return chunks
}

/** Every ranking has a memory of its own over the one index, so that none is quicker by what another has read. */
function openAnswers(
  task: Task,
  store: MemoryStore,
  { rankings, provider }: Pick<RankingOptions, 'rankings' | 'provider'>,
): Promise<readonly Answers[]> {
  return Promise.all(
    rankings.map(async (ranking): Promise<Answers> => {
      const options = memoryOptions(task, { store, settings: ranking.settings })
      const embeddings = ranking.hasVectors ? [provider] : []
      // Nothing changes and nothing is missing any more: no search need look for it, nor any work wait until later.
      const memory = await createMemory({
        ...options,
        sources: [],
        embeddings,
        closes: embeddings,
        sleep: () => new Promise(() => {}),
      })
      return { ranking, memory, questions: [], searchMs: [] }
    }),
  )
}

async function answer({ memory, questions, searchMs }: Answers, question: Question, key: AnswerKey): Promise<void> {
  const reply = await ask(memory, question)
  const [problem] = reply.degraded
  if (problem) throw new Error(`A search was not answered as it should be (${problem.code}): ${problem.message}`)
  const { id, type } = question
  questions.push({ id, type, metrics: key.score(question, reply.hits) })
  searchMs.push(pipelineMs(reply))
}

/** Indexes and embeds the notes once, then asks every question of every ranking. */
async function runTask(task: Task, options: RankingOptions): Promise<RankedTask> {
  const store = await openStore(options.store)
  const opened: Answers[] = []
  try {
    const units = await fillIndex(task, store, options.provider)
    const key = await AnswerKey.of(store)
    const answers = await openAnswers(task, store, options)
    opened.push(...answers)
    const [first, ...rest] = someQuestions(task, options.every)
    if (!first) return { units, answers }
    // The first search reads what later ones find read, and embeds the question.
    for (const { memory } of answers) await ask(memory, first)
    for (const [at, question] of [first, ...rest].entries()) {
      await options.provider.embed({ inputs: [{ type: 'text', text: question.text }], inputType: 'query' })
      // No ranking is always the one that comes after the embedding.
      const turn = at % answers.length
      for (const each of [...answers.slice(turn), ...answers.slice(0, turn)]) await answer(each, question, key)
    }
    return { units, answers }
  } finally {
    for (const { memory } of opened) await memory.close()
    await store.close()
  }
}

/** Runs the memories of a set one after the other; one result for each ranking, in their order. */
export async function runRankings(set: EvaluationSet, options: RankingOptions): Promise<readonly RankedSet[]> {
  const startedMs = performance.now()
  const tasks: RankedTask[] = []
  for (const task of set.load()) tasks.push(await runTask(task, options))
  const seconds = (performance.now() - startedMs) / 1000
  return options.rankings.map((_, at) => {
    const own = tasks.map(({ units, answers }) => ({ units, questions: answers[at]?.questions ?? [] }))
    const searchMs = median(tasks.flatMap(({ answers }) => answers[at]?.searchMs ?? []))
    return { ...setResult(set, own, seconds), searchMs }
  })
}
