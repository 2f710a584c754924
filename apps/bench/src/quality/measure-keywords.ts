import { writeFileSync } from 'node:fs'
import { barChart } from '../report/bar-chart.ts'
import { writeSection } from '../report/document-section.ts'
import { describeMachine, type Machine, provenance } from '../report/machine.ts'
import { markdownTable, plainTable } from '../report/table.ts'
import { ablationTable, type NamedResults, qualityChart, qualityTable, withReferences } from './report/quality-report.ts'
import type { KeywordOptions } from './read-options.ts'
import { runSet } from './run-set.ts'
import type { SetResult } from './set-result.ts'
import type { EvaluationSet } from './tasks/task.ts'
import { PRODUCT, type Variant } from './variants.ts'

async function runVariant(
  variant: Variant,
  sets: readonly EvaluationSet[],
  { store, every }: KeywordOptions,
): Promise<readonly SetResult[]> {
  const results: SetResult[] = []
  for (const [index, set] of sets.entries()) {
    process.stderr.write(`[${variant.name} ${index + 1}/${sets.length}] ${set.name} ... `)
    const result = await runSet(set, { store, every, variant })
    process.stderr.write(`nDCG@10 ${result.metrics.ndcgAt10.toFixed(3)}, ${result.seconds.toFixed(1)} s\n`)
    results.push(result)
  }
  return results
}

interface Outcome {
  readonly machine: Machine
  readonly product: readonly SetResult[]
  readonly variants: readonly NamedResults[]
}

function report({ machine, product, variants }: Outcome, options: KeywordOptions): void {
  const table = qualityTable(product)
  const ablation = variants.length > 0 ? ablationTable({ name: PRODUCT.name, results: product }, variants) : undefined
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

/** The product without vectors, and variants of it. */
export async function measureKeywords(sets: readonly EvaluationSet[], options: KeywordOptions): Promise<void> {
  const machine = describeMachine()
  const product = await runVariant(PRODUCT, sets, options)
  const variants: NamedResults[] = []
  for (const variant of options.variants) {
    variants.push({ name: variant.name, results: await runVariant(variant, sets, options) })
  }
  report({ machine, product, variants }, options)
}
