import { bankAnnotator, createRecall } from '@mnemark/bank'
import type { DocumentSource, IndexViews, MemoryBackend } from '@mnemark/spec'
import { createMemory } from '@mnemark/core'
import { createNoteSource } from '../quality/tasks/note-source.ts'
import type { Note } from '../quality/tasks/task.ts'
import { memoryOptions, openStore, type StoreKind } from '../quality/tasks/task-memory.ts'
import { Chances } from './chances.ts'
import { type CitedLines, citedLines } from '../report/cited-lines.ts'
import type { MadeYear } from './made-year.ts'
import { type AnswerScore, type Ask, ASKED_FOR, scoreAnswer } from './score-answers.ts'
import { ASKED_AT_MS } from './year-days.ts'
import type { YearQuestion } from './year-questions.ts'

export interface AnsweredQuestion extends Pick<YearQuestion, 'kind' | 'language' | 'text'> {
  readonly score: AnswerScore
  readonly cited: readonly CitedLines[]
}
export interface MeasureOptions {
  readonly store: StoreKind
  /** Makes the function that answers, over an index of the year; plain search where it is not given. */
  readonly askOf?: ((memory: MemoryBackend & IndexViews, year: MadeYear) => Ask) | undefined
  /** Indexes the notes in an order of this seed, in several steps; without it in their own order, late ones last. */
  readonly shuffle?: number | undefined
}

/** Plain search: the lines of each hit. */
export function searchOf(memory: MemoryBackend): Ask {
  return async ({ text }, { limit }) => {
    const { hits } = await memory.search({ text, limit, caller: { agentId: 'main' } })
    return hits.map(({ path, startLine, endLine }) => ({ path, startLine, endLine }))
  }
}

/** Recall of the bank: the cited lines of each fact and passage. */
export function recallOf(memory: IndexViews): Ask {
  const recall = createRecall({ memory, now: () => ASKED_AT_MS, timeZone: 'UTC' })
  return async ({ text }, { limit }) => {
    const { facts } = await recall({ text, limit, budgetTokens: 4_000 })
    return facts.flatMap(({ source }) => citedLines(source))
  }
}

/** Notes that come into the folder in steps. */
function stepsOf({ notes, late }: MadeYear, shuffle: number | undefined): readonly (readonly Note[])[] {
  if (shuffle === undefined) return [notes.filter(({ path }) => !late.has(path)), notes]
  const order = new Chances(shuffle).shuffled(notes)
  return [order.slice(0, Math.floor(order.length / 3)), order.slice(0, Math.floor(order.length / 2)), order]
}

/** Indexes a year through the product's own pipeline and asks its questions. */
export async function measureYear(
  year: MadeYear,
  questions: readonly YearQuestion[],
  { store: kind, askOf = searchOf, shuffle }: MeasureOptions,
): Promise<readonly AnsweredQuestion[]> {
  let present = createNoteSource([])
  const source: DocumentSource = { id: 'memory', list: (options) => present.list(options), read: (id) => present.read(id) }
  const task = { name: `year ${year.seed}`, notes: [], questions: [], settings: {} }
  const options = memoryOptions(task, { store: await openStore(kind) })
  const memory = await createMemory({ ...options, sources: [source], annotators: [bankAnnotator()], now: () => ASKED_AT_MS })
  try {
    for (const notes of stepsOf(year, shuffle)) {
      present = createNoteSource(notes)
      await memory.sync()
    }
    const ask = askOf(memory, year)
    const answered: AnsweredQuestion[] = []
    for (const question of questions) {
      const cited = await ask(question, { limit: ASKED_FOR })
      const { kind: asked, language, text } = question
      answered.push({ kind: asked, language, text, cited, score: scoreAnswer(question, cited) })
    }
    return answered
  } finally {
    await memory.close()
  }
}
