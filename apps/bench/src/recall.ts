/** Recall beside search, on questions nobody here wrote, and its cost: `pnpm bench:recall`. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { evaluationSets } from './quality/tasks/evaluation-sets.ts'
import { findData } from './quality/tasks/find-data.ts'
import { type CostFigures, measureCost } from './recall/measure-cost.ts'
import { measureRecall, type RecallFigures } from './recall/measure-recall.ts'
import { BadUse, runCommand } from './report/bad-use.ts'
import { writeSection } from './report/document-section.ts'
import { describeMachine, provenance } from './report/machine.ts'
import { markdownTable, plainTable, type Table } from './report/table.ts'

const CHUNKS = '10000'
/** Kinds of questions of LoCoMo: those with an answer in one place or at one time; the others stand in the same table as all. */
const TYPES: readonly { readonly name: string; readonly types?: ReadonlySet<string> }[] = [
  { name: 'all' },
  { name: 'temporal', types: new Set(['temporal']) },
  { name: 'single-hop', types: new Set(['single-hop']) },
]

const USAGE = `usage: pnpm bench:recall [--chunks ${CHUNKS}] [--data DIR] [--split tune|final] [--every 1] [--json FILE] [--docs]

  --chunks    chunks of the made-up years whose questions are timed; 0 times nothing
  --data DIR  folder of the evaluation data, else MNEMARK_EVAL_DATA; without one only times are measured
  --split     tune (default) or final questions
  --every N   ask only every Nth question
  --json      write the figures to a file
  --docs      write the tables into docs/quality.md; needs the data

The units are turns, one line each, so that a hit of a search and a passage of recall are of one size.`

const numbers = (titles: readonly string[]) => titles.map((title) => ({ title, isNumber: true }))

function qualityTable(rows: readonly (RecallFigures & { readonly type: string })[]): Table {
  return {
    columns: [
      { title: 'set' },
      { title: 'questions about' },
      ...numbers(['questions', 'R@5 search', 'R@5 recall', 'R@10 search', 'R@10 recall', 'nDCG@10 search', 'nDCG@10 recall']),
    ],
    rows: rows.map(({ name, type, questions, search, recall }) => [
      name,
      type,
      String(questions),
      ...(['recallAt5', 'recallAt10', 'ndcgAt10'] as const).flatMap((metric) => [
        search[metric].toFixed(3),
        recall[metric].toFixed(3),
      ]),
    ]),
  }
}

function costTable({ searchMs, recallMs }: CostFigures): Table {
  const rows = [
    ['search', searchMs],
    ['recall', recallMs],
  ] as const
  return {
    columns: [{ title: 'one question, ms' }, ...numbers(['p50', 'p95', 'p50 to that of search'])],
    rows: rows.map(([name, { p50, p95 }]) => [name, p50.toFixed(2), p95.toFixed(2), (p50 / searchMs.p50).toFixed(2)]),
  }
}

function count(name: string, value: string): number {
  if (/^\d{1,7}$/.test(value)) return Number(value)
  throw new BadUse(`--${name}: expected a whole number, got ${value}\n\n${USAGE}`)
}

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      chunks: { type: 'string', default: CHUNKS },
      data: { type: 'string' },
      split: { type: 'string', default: 'tune' },
      every: { type: 'string', default: '1' },
      json: { type: 'string' },
      docs: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  if (values.split !== 'tune' && values.split !== 'final')
    throw new BadUse(`--split: expected tune or final, got ${values.split}\n\n${USAGE}`)
  const [chunks, every] = [count('chunks', values.chunks), Math.max(1, count('every', values.every))]
  const machine = describeMachine()
  const cost = chunks === 0 ? null : await measureCost(chunks)
  if (cost !== null)
    console.log(
      `${plainTable(costTable(cost))}\n(${cost.questions} questions over ${cost.chunks} chunks, ${cost.facts} of them facts)`,
    )
  const data = findData(values.data, process.env)
  const rows: (RecallFigures & { readonly type: string })[] = []
  if ('missing' in data) console.log(`\n${data.missing}`)
  else
    for (const set of evaluationSets(data.folder, values.split).filter(({ name }) => name.endsWith(' turns')))
      for (const { name: type, types } of TYPES) {
        const figures = await measureRecall(set, { every, ...(types && { types }) })
        if (figures !== null) rows.push({ ...figures, type })
      }
  if (rows.length > 0) console.log(`\n${plainTable(qualityTable(rows))}`)
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ machine, cost, rows }, null, 2)}\n`)
  if (!values.docs) return
  if (rows.length === 0 || cost === null) throw new BadUse(`--docs needs the evaluation data and --chunks\n\n${USAGE}`)
  const tables = [qualityTable(rows), costTable(cost)].map(markdownTable).join('\n\n')
  writeSection('quality.md', 'recall', `${provenance(machine, 'pnpm bench:recall')}\n\n${tables}`)
})
