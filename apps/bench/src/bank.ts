/** Whether facts of a made-up year are found again, and not taken for what has changed: `pnpm bench:bank`. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { IndexViews, MemoryBackend } from '@mnemark/spec'
import { differingAnswers, kindTable, seedTable, type YearAnswers } from './bank/bank-report.ts'
import { makeYear, type MadeYear, type YearForm } from './bank/made-year.ts'
import { measureYear, recallOf, searchOf } from './bank/measure-year.ts'
import type { Ask } from './bank/score-answers.ts'
import { makeQuestions } from './bank/year-questions.ts'
import type { StoreKind } from './quality/tasks/task-memory.ts'
import { BadUse, runCommand } from './report/bad-use.ts'
import { describeMachine, provenance } from './report/machine.ts'
import { plainTable } from './report/table.ts'

const SEEDS = '1,2,3,4,5'
const QUESTIONS = '40'

/** The methods that answer the questions, by the name that is printed. */
const METHODS: Readonly<Record<string, (memory: MemoryBackend & IndexViews, year: MadeYear) => Ask>> = {
  search: searchOf,
  recall: recallOf,
}

const USAGE = `usage: pnpm bench:bank [--seeds ${SEEDS}] [--questions ${QUESTIONS}] [--no-retain] [--store memory|sqlite] [--shuffle] [--missed] [--json FILE]

  --seeds      one made-up year for each
  --questions  at most so many of each kind in each language
  --no-retain  the same facts in the sentences of ordinary logs, without a Retain section
  --store      memory (default) or sqlite
  --shuffle    index each year again in another order, and count the answers that differ
  --missed     print every question without its gold line in the first five
  --json       write all answers to a file`

function numbersOf(option: string, text: string): readonly number[] {
  const numbers = text.split(',').map(Number)
  if (text.trim() === '' || numbers.some((number) => !Number.isSafeInteger(number) || number < 1))
    throw new BadUse(`--${option}: expected numbers from 1, got ${text}\n\n${USAGE}`)
  return numbers
}

interface Run {
  readonly form: YearForm
  readonly store: StoreKind
  readonly perKind: number
  readonly isShuffled: boolean
  readonly isMissedPrinted: boolean
}

async function runMethod(name: string, seeds: readonly number[], run: Run): Promise<readonly YearAnswers[]> {
  const years: YearAnswers[] = []
  for (const seed of seeds) {
    const year = makeYear(seed, run.form)
    const questions = makeQuestions(year, run.perKind)
    const options = { store: run.store, askOf: METHODS[name] }
    const answers = await measureYear(year, questions, options)
    years.push({ seed, answers })
    if (!run.isShuffled) continue
    const again = await measureYear(year, questions, { ...options, shuffle: seed })
    const differing = differingAnswers(answers, again)
    console.log(`${name}, seed ${seed}: ${differing} of ${answers.length} answers differ after indexing in another order`)
  }
  console.log(`\n${name}\n\n${plainTable(kindTable(years))}\n\n${plainTable(seedTable(years))}`)
  if (run.isMissedPrinted)
    for (const { seed, answers } of years)
      for (const { kind, text, score } of answers) if (score.recallAt5 < 1) console.log(`seed ${seed}: ${kind} "${text}"`)
  return years
}

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: SEEDS },
      questions: { type: 'string', default: QUESTIONS },
      'no-retain': { type: 'boolean', default: false },
      store: { type: 'string', default: 'memory' },
      shuffle: { type: 'boolean', default: false },
      missed: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const seeds = numbersOf('seeds', values.seeds)
  const [perKind = 0] = numbersOf('questions', values.questions)
  if (values.store !== 'memory' && values.store !== 'sqlite')
    throw new BadUse(`--store: expected memory or sqlite, got ${values.store}\n\n${USAGE}`)
  const form = values['no-retain'] ? 'prose' : 'retain'
  const command = `pnpm bench:bank --seeds ${values.seeds}${values['no-retain'] ? ' --no-retain' : ''}`
  console.log(provenance(describeMachine(), command))
  const run = { form, store: values.store, perKind, isShuffled: values.shuffle, isMissedPrinted: values.missed } as const
  const methods: Record<string, readonly YearAnswers[]> = {}
  for (const name of Object.keys(METHODS)) methods[name] = await runMethod(name, seeds, run)
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ form, methods }, null, 2)}\n`)
})
