import { bankAnnotator, createRecall } from '@mnemark/bank'
import { createMemory } from '@mnemark/core'
import { makeYear } from '../bank/made-year.ts'
import { makeQuestions } from '../bank/year-questions.ts'
import { ASKED_AT_MS } from '../bank/year-days.ts'
import { memoryOptions, openStore } from '../quality/tasks/task-memory.ts'
import { type Spread, spreadOf } from '../speed/statistics.ts'

export interface CostFigures {
  readonly chunks: number
  readonly facts: number
  readonly questions: number
  readonly searchMs: Spread
  readonly recallMs: Spread
}

const QUESTIONS = 20

/** Times of the same questions by search and by recall, one after the other, over made-up years in SQLite with at least so many chunks. */
export async function measureCost(leastChunks: number): Promise<CostFigures> {
  const years = [makeYear(1, 'retain')]
  const factsOf = () => years.reduce((sum, { facts }) => sum + facts.length, 0)
  // A fact is a chunk, and the rest of each log at least one.
  while (factsOf() + years.length * 365 < leastChunks) years.push(makeYear(years.length + 1, 'retain'))
  const notes = years.flatMap(({ notes: own }, at) =>
    own.map(({ path, text }) => ({ path: at === 0 ? path : `y${at}/${path}`, text })),
  )
  const store = await openStore('sqlite')
  // The wall clock: a search that waits is slow, whatever it computes.
  const { now: _, ...options } = memoryOptions({ name: 'years', notes, questions: [], settings: {} }, { store })
  const memory = await createMemory({
    ...options,
    annotators: [bankAnnotator()],
    settings: { ...options.settings, syncOnSearch: false },
  })
  try {
    const report = await memory.sync()
    const recall = createRecall({ memory, now: () => ASKED_AT_MS, timeZone: 'UTC' })
    const asked = makeQuestions(years[0] ?? makeYear(1, 'retain'), QUESTIONS)
    const timed = async (work: () => Promise<unknown>): Promise<number> => {
      const startedMs = performance.now()
      await work()
      return performance.now() - startedMs
    }
    const [searchMs, recallMs]: [number[], number[]] = [[], []]
    // An unmeasured round first, because it reads what later questions find in memory.
    for (const isMeasured of [false, true])
      for (const { text } of asked) {
        const searched = await timed(() => memory.search({ text, limit: 10, caller: { agentId: 'main' } }))
        const recalled = await timed(() => recall({ text, limit: 10 }))
        if (isMeasured) {
          searchMs.push(searched)
          recallMs.push(recalled)
        }
      }
    return {
      chunks: report.chunks,
      facts: factsOf(),
      questions: asked.length,
      searchMs: spreadOf(searchMs),
      recallMs: spreadOf(recallMs),
    }
  } finally {
    await memory.close()
  }
}
