/** How well the product finds: `pnpm bench:quality`. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { evaluationSets } from './quality/evaluation-sets.ts'
import { findData } from './quality/find-data.ts'
import { ablationTable, qualityChart, qualityTable, withReferences } from './quality/quality-report.ts'
import { runSet, type SetResult } from './quality/run-set.ts'
import type { StoreKind } from './quality/run-task.ts'
import type { EvaluationSet } from './quality/task.ts'
import { PRODUCT, type Variant, VARIANTS } from './quality/variants.ts'
import { BadUse, runCommand } from './report/bad-use.ts'
import { barChart } from './report/bar-chart.ts'
import { writeSection } from './report/document-section.ts'
import { describeMachine, type Machine, provenance } from './report/machine.ts'
import { markdownTable, plainTable } from './report/table.ts'

const USAGE = `usage: pnpm bench:quality [--data DIR] [--split tune|final|all] [--set TEXT] [--store memory|sqlite]
                         [--every N] [--ablate] [--variant TEXT] [--json FILE] [--svg FILE] [--docs]

  --data DIR    folder of the evaluation data, else MNEMARK_EVAL_DATA; without one the benchmark is skipped
  --split       tune (default) while rules are chosen, final for a last check, all
  --set TEXT    only sets whose name holds TEXT, for example "tydiqa-goldp ar"
  --store       which store holds the index; the answers are the same
  --every N     ask only every Nth question: quicker, less exact
  --ablate      also run each named variant of the settings and weights
  --variant TEXT  with --ablate, only variants whose name holds TEXT
  --json, --svg write the figures, or a chart, to a file
  --docs        write the tables into docs/quality.md; with --every only that of --ablate`

interface Options {
  readonly data: string | undefined
  readonly split: 'tune' | 'final' | 'all'
  readonly set: string
  readonly store: StoreKind
  readonly every: number
  readonly variants: readonly Variant[]
  readonly json: string | undefined
  readonly svg: string | undefined
  readonly isForDocs: boolean
}

function oneOf<const Choice extends string>(option: string, value: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((known) => known === value)
  if (choice === undefined) throw new BadUse(`--${option}: expected ${choices.join(', ')}, got ${value}\n\n${USAGE}`)
  return choice
}

function wholeNumber(option: string, value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new BadUse(`--${option}: expected a whole number from 1, got ${value}`)
  return Number(value)
}

function readOptions(argv: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      data: { type: 'string' },
      split: { type: 'string', default: 'tune' },
      set: { type: 'string', default: '' },
      store: { type: 'string', default: 'memory' },
      every: { type: 'string', default: '1' },
      ablate: { type: 'boolean', default: false },
      variant: { type: 'string', default: '' },
      json: { type: 'string' },
      svg: { type: 'string' },
      docs: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  if (values.docs && values.set !== '') throw new BadUse('--docs writes whole tables: leave --set out.')
  return {
    data: values.data,
    split: oneOf('split', values.split, ['tune', 'final', 'all']),
    set: values.set,
    store: oneOf('store', values.store, ['memory', 'sqlite']),
    every: wholeNumber('every', values.every),
    variants: values.ablate ? VARIANTS.filter(({ name }) => name.includes(values.variant)) : [],
    json: values.json,
    svg: values.svg,
    isForDocs: values.docs,
  }
}

async function runVariant(variant: Variant, sets: readonly EvaluationSet[], options: Options): Promise<readonly SetResult[]> {
  const results: SetResult[] = []
  for (const [index, set] of sets.entries()) {
    process.stderr.write(`[${variant.name} ${index + 1}/${sets.length}] ${set.name} ... `)
    const result = await runSet(set, { store: options.store, every: options.every, variant })
    process.stderr.write(`nDCG@10 ${result.metrics.ndcgAt10.toFixed(3)}, ${result.seconds.toFixed(1)} s\n`)
    results.push(result)
  }
  return results
}

interface Outcome {
  readonly machine: Machine
  readonly product: readonly SetResult[]
  readonly variants: readonly { readonly name: string; readonly results: readonly SetResult[] }[]
}

function report({ machine, product, variants }: Outcome, options: Options): void {
  const table = qualityTable(product)
  const ablation = variants.length > 0 ? ablationTable(product, variants) : undefined
  console.log(plainTable(table))
  if (ablation) console.log(`\nnDCG@10, change against the product\n${plainTable(ablation)}`)
  const { split, every, json, svg } = options
  if (json !== undefined) {
    const document = { measuredAt: new Date().toISOString(), machine, split, every, sets: withReferences(product), variants }
    writeFileSync(json, `${JSON.stringify(document, null, 2)}\n`)
  }
  if (svg !== undefined) writeFileSync(svg, barChart(qualityChart(product, split)))
  if (!options.isForDocs) return
  const command = `pnpm bench:quality --split ${split}${every > 1 ? ` --every ${every}` : ''}`
  if (every === 1) writeSection('quality.md', split, `${provenance(machine, command)}\n\n${markdownTable(table)}`)
  if (!ablation) return
  writeSection('quality.md', 'ablation', `${provenance(machine, `${command} --ablate`)}\n\n${markdownTable(ablation)}`)
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (options === undefined) return console.log(USAGE)
  const data = findData(options.data, process.env)
  if ('missing' in data) return console.log(data.missing)
  const sets = evaluationSets(data.folder, options.split).filter(({ name }) => name.includes(options.set))
  if (sets.length === 0)
    throw new BadUse(`No set of the ${options.split} split in ${data.folder} has "${options.set}" in its name.`)

  const machine = describeMachine()
  const product = await runVariant(PRODUCT, sets, options)
  const variants: Outcome['variants'][number][] = []
  for (const variant of options.variants) variants.push({ name: variant.name, results: await runVariant(variant, sets, options) })
  report({ machine, product, variants }, options)
}

await runCommand(main)
