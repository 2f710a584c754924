import type { Table } from '../report/table.ts'
import type { AnsweredQuestion } from './measure-year.ts'
import { meanScore } from './score-answers.ts'
import { YEAR_LANGUAGES } from './words/year-words.ts'
import { QUESTION_KINDS } from './year-questions.ts'

/** The answers about the year of one seed. */
export interface YearAnswers {
  readonly seed: number
  readonly answers: readonly AnsweredQuestion[]
}

const FIGURES = ['questions', 'R@5', 'MRR@10', 'stale above gold', 'lines'].map((title) => ({ title, isNumber: true }))

function share(value: number): string {
  return value.toFixed(3).replace(/^0/, '')
}

function cells(answers: readonly AnsweredQuestion[]): readonly string[] {
  if (answers.length === 0) return ['0', '', '', '', '']
  const { questions, recallAt5, mrrAt10, staleAboveGold, linesAt5 } = meanScore(answers.map(({ score }) => score))
  const stale = staleAboveGold === undefined ? '' : `${(100 * staleAboveGold).toFixed(1)} %`
  return [String(questions), share(recallAt5), share(mrrAt10), stale, linesAt5.toFixed(1)]
}

/** Each kind of question in each language, over all seeds. */
export function kindTable(years: readonly YearAnswers[]): Table {
  const all = years.flatMap(({ answers }) => answers)
  const rows = QUESTION_KINDS.flatMap((kind) => {
    const ofKind = all.filter((answer) => answer.kind === kind)
    const inLanguages = YEAR_LANGUAGES.map((language) => [
      kind,
      language,
      ...cells(ofKind.filter((answer) => answer.language === language)),
    ])
    return [...inLanguages, [kind, 'all', ...cells(ofKind)]]
  })
  const inLanguages = YEAR_LANGUAGES.map((language) => [
    'all',
    language,
    ...cells(all.filter((answer) => answer.language === language)),
  ])
  return {
    columns: [{ title: 'asked for' }, { title: 'language' }, ...FIGURES],
    rows: [...rows, ...inLanguages, ['all', 'all', ...cells(all)]],
  }
}

export function seedTable(years: readonly YearAnswers[]): Table {
  return {
    columns: [{ title: 'seed', isNumber: true }, ...FIGURES],
    rows: years.map(({ seed, answers }) => [String(seed), ...cells(answers)]),
  }
}

/** How many questions got other lines, or the same ones in another order. */
export function differingAnswers(left: readonly AnsweredQuestion[], right: readonly AnsweredQuestion[]): number {
  const linesOf = ({ text, cited }: AnsweredQuestion) => JSON.stringify([text, cited])
  return left.filter((answer, at) => linesOf(answer) !== (right[at] && linesOf(right[at]))).length
}
