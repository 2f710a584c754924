/** The time a reranker adds to a search, and the most it could improve the order: `pnpm bench:rerank`. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { evaluationSets } from './quality/tasks/evaluation-sets.ts'
import { findData } from './quality/tasks/find-data.ts'
import { BadUse, runCommand } from './report/bad-use.ts'
import { writeSection } from './report/document-section.ts'
import { describeMachine, provenance } from './report/machine.ts'
import { markdownTable, plainTable, type Table } from './report/table.ts'
import { type LatencyFigures, measureLatency } from './rerank/measure-latency.ts'
import { ERROR_SHARES, measureOrder, type OrderFigures } from './rerank/measure-order.ts'

const RERANK_MS = 20

const USAGE = `usage: pnpm bench:rerank [--searches 100] [--data DIR] [--set TEXT] [--every 8] [--json FILE] [--docs]

  --searches  timed searches, each with and without a reranker of ${RERANK_MS} ms
  --data DIR  folder of the evaluation data, else MNEMARK_EVAL_DATA; without one only times are measured
  --set TEXT  only tune sets whose name holds TEXT
  --every N   ask only every Nth question
  --json      write the figures to a file
  --docs      write the tables into docs/quality.md; needs the data

The order is that of a scripted oracle, which knows the answers: the most that any model could do, and what is left of it
when a share of its judgements is wrong. We know of no npm package that ships a reranking model to measure without a network.`

const numbers = (titles: readonly string[]) => titles.map((title) => ({ title, isNumber: true }))

function latencyTable({ withoutMs, withMs, addedMs }: LatencyFigures): Table {
  const rows = [
    ['without', withoutMs],
    [`with one of ${RERANK_MS} ms`, withMs],
    ['added', addedMs],
  ] as const
  return {
    columns: [{ title: 'one search, ms' }, ...numbers(['p50', 'p95', 'max'])],
    rows: rows.map(([name, { p50, p95, max }]) => [name, ...[p50, p95, max].map((ms) => ms.toFixed(1))]),
  }
}

function orderTable(sets: readonly OrderFigures[]): Table {
  const columns = ['no reranker', ...ERROR_SHARES.map((share) => `oracle, ${100 * share} % wrong`)]
  return {
    columns: [{ title: 'nDCG@10' }, ...numbers(['questions', ...columns])],
    rows: sets.map(({ name, questions, metrics }) => [
      name,
      String(questions),
      ...metrics.map(({ ndcgAt10 }) => ndcgAt10.toFixed(3)),
    ]),
  }
}

function count(name: string, value: string): number {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value)
  throw new BadUse(`--${name}: expected a whole number from 1, got ${value}\n\n${USAGE}`)
}

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      searches: { type: 'string', default: '100' },
      data: { type: 'string' },
      set: { type: 'string', default: '' },
      every: { type: 'string', default: '8' },
      json: { type: 'string' },
      docs: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const [searches, every] = [count('searches', values.searches), count('every', values.every)]
  const machine = describeMachine()
  const latency = await measureLatency(RERANK_MS, searches)
  console.log(`${plainTable(latencyTable(latency))}\n(${latency.searches} searches over ${latency.notes} notes in SQLite)`)
  const data = findData(values.data, process.env)
  const sets: OrderFigures[] = []
  if ('missing' in data) console.log(`\n${data.missing}`)
  else
    for (const set of evaluationSets(data.folder, 'tune').filter(({ name }) => name.includes(values.set)))
      sets.push(await measureOrder(set, every))
  if (sets.length > 0) console.log(`\n${plainTable(orderTable(sets))}`)
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ machine, latency, sets }, null, 2)}\n`)
  if (!values.docs) return
  if (sets.length === 0) throw new BadUse(`--docs needs the evaluation data\n\n${USAGE}`)
  const command = `pnpm bench:rerank --every ${every}${values.set === '' ? '' : ` --set ${values.set}`}`
  const tables = [latencyTable(latency), orderTable(sets)].map(markdownTable).join('\n\n')
  writeSection('quality.md', 'rerank', `${provenance(machine, command)}\n\n${tables}`)
})
