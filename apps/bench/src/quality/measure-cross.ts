import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BadUse } from '../report/bad-use.ts'
import { writeSection } from '../report/document-section.ts'
import { describeMachine, provenance } from '../report/machine.ts'
import { markdownTable, plainTable, type Table } from '../report/table.ts'
import { jsonNames } from './tasks/evaluation-sets.ts'
import { readPassages } from './tasks/passage-tasks.ts'
import { shown } from './report/quality-report.ts'
import type { CrossOptions } from './read-options.ts'
import { runSet } from './run-set.ts'
import type { SetResult } from './set-result.ts'
import type { EvaluationSet } from './tasks/task.ts'
import { PRODUCT } from './variants.ts'

const FOLDER = 'xquad'
/** The language of the passages. */
const NOTED = 'en'

/** Its texts are the same in all languages, so any question can be asked of any passages. */
function crossSets(data: string): readonly EvaluationSet[] {
  const fileOf = (language: string): string => join(data, FOLDER, `${language}.json`)
  if (!existsSync(fileOf(NOTED)))
    throw new BadUse(`--cross: ${fileOf(NOTED)} is not there; apps/bench/README.md says what it holds.`)
  return jsonNames(join(data, FOLDER)).map((language) => ({
    name: `${FOLDER} ${language} to ${NOTED}`,
    language,
    split: 'final',
    load: () => [readPassages(fileOf(NOTED), { questionsFrom: fileOf(language) })],
  }))
}

function crossTable(results: readonly SetResult[]): Table {
  const titles = ['questions', 'R@1', 'R@10', 'nDCG@10']
  return {
    columns: [{ title: 'asked in' }, ...titles.map((title) => ({ title, isNumber: true }))],
    rows: results.map(({ language, questions, metrics: { recallAt1, recallAt10, ndcgAt10 } }) => [
      language,
      String(questions),
      ...[recallAt1, recallAt10, ndcgAt10].map(shown),
    ]),
  }
}

/** How far words reach from one language into another. */
export async function measureCross(data: string, { store, every, json, isForDocs }: CrossOptions): Promise<void> {
  const machine = describeMachine()
  const results: SetResult[] = []
  for (const set of crossSets(data)) {
    process.stderr.write(`${set.name} ... `)
    const result = await runSet(set, { store, every, variant: PRODUCT })
    process.stderr.write(`R@10 ${result.metrics.recallAt10.toFixed(3)}\n`)
    results.push(result)
  }
  const table = crossTable(results)
  console.log(plainTable(table))
  if (json !== undefined) {
    writeFileSync(json, `${JSON.stringify({ measuredAt: new Date().toISOString(), machine, every, sets: results }, null, 2)}\n`)
  }
  if (!isForDocs || every > 1) return
  writeSection('quality.md', 'cross', `${provenance(machine, 'pnpm bench:quality --cross')}\n\n${markdownTable(table)}`)
}
