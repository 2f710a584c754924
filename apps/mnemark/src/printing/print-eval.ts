import type { SettingReport } from '../eval/compare-settings.ts'
import type { Question } from '../eval/question.ts'
import type { Score } from '../eval/score.ts'
import type { Console } from '../terminal/console.ts'
import { isolate, printable } from '../terminal/isolate.ts'

/** The document of `eval --json`. */
export interface EvalDocument {
  readonly questions: number
  readonly byKind: Readonly<Partial<Record<Question['from'], number>>>
  readonly byLanguage: Readonly<Record<string, number>>
  /** `as configured` first. */
  readonly settings: readonly SettingReport[]
}

const NAMED_QUESTIONS = 10
const COLUMNS = ['recall@1', 'recall@5', 'recall@10', 'MRR@10', 'nDCG@10']

/** Prints a table of settings, the first of them by kind and language, and the questions it missed. */
export function printEval(console: Console, { questions, byKind, byLanguage, settings }: EvalDocument): void {
  const kinds = Object.entries(byKind).map(([kind, count]) => `${count} ${kind}`)
  console.print(`${questions} questions: ${kinds.join(', ')}\n`)
  console.print(row('', COLUMNS.concat('ms p50', 'p95')))
  for (const { setting, all, msP50, msP95, modes } of settings) {
    const mode = Object.keys(modes).join(', ')
    console.print(`${row(setting, [...figures(all), String(msP50), String(msP95)])}  ${mode}`)
  }
  const [configured] = settings
  if (configured === undefined) return
  console.print(`\n${row('as configured', COLUMNS.concat('questions'))}`)
  for (const [kind, score] of Object.entries(configured.byKind))
    console.print(row(`  ${kind}`, [...figures(score), String(count(byKind, kind))]))
  for (const [language, score] of Object.entries(configured.byLanguage))
    console.print(row(`  ${language}`, [...figures(score), String(count(byLanguage, language))]))
  printMissed(console, configured.missed)
}

const count = (counts: Readonly<Record<string, number>>, name: string): number => counts[name] ?? 0

function printMissed(console: Console, missed: readonly string[]): void {
  if (missed.length === 0) return
  console.print(`\nnot found among ten hits: ${missed.length}`)
  for (const text of missed.slice(0, NAMED_QUESTIONS)) console.print(`  ${isolate(printable(text))}`)
  if (missed.length > NAMED_QUESTIONS) console.print(`  and ${missed.length - NAMED_QUESTIONS} more; --json names all`)
}

function figures({ recallAt1, recallAt5, recallAt10, mrrAt10, ndcgAt10 }: Score): readonly string[] {
  return [recallAt1, recallAt5, recallAt10, mrrAt10, ndcgAt10].map((value) => value.toFixed(3))
}

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(16) + cells.map((cell) => cell.padStart(10)).join('')
}
