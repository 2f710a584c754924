import { writeFileSync } from 'node:fs'
import { writeSection } from '../report/document-section.ts'
import { describeMachine, type Machine, provenance } from '../report/machine.ts'
import { scatterChart } from '../report/scatter-chart.ts'
import { markdownTable, plainTable, type Table } from '../report/table.ts'
import type { VectorPoint } from '../vectors/measure-vectors.ts'
import { hybridVariantsTable, judgeFusion, latencyChart, latencyTable, legsTable, typesTable } from './report/hybrid-report.ts'
import { LEGS, type Ranking } from './rankings.ts'
import type { HybridOptions } from './read-options.ts'
import { measureScan, scanTable } from './real-scan.ts'
import { RememberedVectors } from './remembered-vectors.ts'
import { type RankedSet, type RankingResults, runRankings } from './run-rankings.ts'
import type { EvaluationSet } from './tasks/task.ts'
import { createUseLite, USE_LITE } from './use-lite.ts'

async function runSets(
  sets: readonly EvaluationSet[],
  rankings: readonly Ranking[],
  { store, every, remembered }: HybridOptions & { readonly remembered: RememberedVectors },
): Promise<readonly RankingResults[]> {
  const provider = createUseLite(remembered)
  const bySet: (readonly RankedSet[])[] = []
  for (const [index, set] of sets.entries()) {
    process.stderr.write(`[${index + 1}/${sets.length}] ${set.name} ... `)
    const results = await runRankings(set, { store, every, provider, rankings })
    bySet.push(results)
    remembered.save()
    const legs = Object.values(LEGS).map(({ name }, at) => `${name} ${results[at]?.metrics.ndcgAt10.toFixed(3)}`)
    process.stderr.write(`nDCG@10 ${legs.join(', ')}, ${results[0]?.seconds.toFixed(1)} s\n`)
  }
  return rankings.map(({ name }, at) => ({ name, results: bySet.flatMap((results) => results[at] ?? []) }))
}

interface Part {
  readonly title: string
  readonly table: Table
  readonly note?: string
}

function partsOf(rankings: readonly RankingResults[], scan: VectorPoint): readonly Part[] {
  const parts: readonly Part[] = [
    { title: 'nDCG@10 of each leg and of both', table: legsTable(rankings), note: judgeFusion(rankings) },
    { title: 'nDCG@10 by type of question', table: typesTable(rankings) },
    { title: 'nDCG@10, change against hybrid', table: hybridVariantsTable(rankings) },
    { title: 'Quality and time, means of the sets', table: latencyTable(rankings) },
    { title: 'The ten nearest of these vectors, against comparing them all', table: scanTable(scan) },
  ]
  return parts.filter(({ table }) => table.rows.length > 0)
}

function shownPart({ title, table, note }: Part): string {
  return [title, plainTable(table), ...(note === undefined ? [] : [note])].join('\n')
}

function writtenPart({ title, table, note }: Part): string {
  return [`**${title}**`, markdownTable(table), ...(note === undefined ? [] : [note])].join('\n\n')
}

interface Outcome {
  readonly machine: Machine
  readonly rankings: readonly RankingResults[]
  readonly scan: VectorPoint
}

function report({ machine, rankings, scan }: Outcome, options: HybridOptions): void {
  const { split, every, store, variant, json, svg, isForDocs } = options
  const parts = partsOf(rankings, scan)
  console.log(parts.map(shownPart).join('\n\n'))
  if (json !== undefined) {
    const document = { measuredAt: new Date().toISOString(), machine, split, every, store, model: USE_LITE.model, rankings, scan }
    writeFileSync(json, `${JSON.stringify(document, null, 2)}\n`)
  }
  if (svg !== undefined) writeFileSync(svg, scatterChart(latencyChart(rankings, split)))
  if (!isForDocs || every > 1) return
  const command = `pnpm bench:quality --hybrid --split ${split}${variant === '' ? '' : ` --variant ${variant}`}`
  writeSection('quality.md', `hybrid-${split}`, [provenance(machine, command), ...parts.map(writtenPart)].join('\n\n'))
}

/** Words, vectors of a real model and both, each set embedded once. */
export async function measureHybrid(sets: readonly EvaluationSet[], options: HybridOptions): Promise<void> {
  const machine = describeMachine()
  const remembered = new RememberedVectors(USE_LITE.model, options.vectors)
  const rankings = await runSets(sets, [...Object.values(LEGS), ...options.variants], { ...options, remembered })
  const scan = await measureScan(remembered, USE_LITE.dimensions)
  report({ machine, rankings, scan }, options)
}
