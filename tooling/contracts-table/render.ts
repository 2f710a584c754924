import { markOf, type NumberedDeviation, type Outcome, type Outcomes } from './outcomes.ts'

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** A table with the first column aligned left and, if `isCentred`, the others centred. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[], isCentred: boolean = false): string {
  const rule = head.map((_, index) => (index > 0 && isCentred ? ':-:' : '---'))
  return [head, rule, ...rows].map(row).join('\n')
}

/** Adapters by cases, as Markdown. */
export function markdownOutcomes(outcomes: Outcomes): string {
  const rows = outcomes.cases.map((id) => [id, ...outcomes.adapters.map((adapter) => markOf(outcomes.of(id, adapter)))])
  return markdownTable(['case', ...outcomes.adapters], rows, true)
}

/** The deviations, one a line, in the order of their numbers. */
export function deviationLines({ deviations }: Outcomes): readonly string[] {
  const byNumber = Map.groupBy(deviations, ({ number }) => number)
  return [...byNumber].map(([number, same]) => `[${number}] ${sentenceOf(same)}`)
}

function sentenceOf(same: readonly NumberedDeviation[]): string {
  const [first] = same
  const suites = [...new Set(same.map(({ suite }) => suite))].join('; ')
  return `${first?.id}, ${suites}: ${first?.reason}`
}

/** How often each outcome occurs, over all cells. */
export function countOutcomes({ cases, adapters, of }: Outcomes): Readonly<Record<Outcome['kind'], number>> {
  const counts = { holds: 0, deviates: 0, fails: 0, 'not-applicable': 0 }
  for (const id of cases) for (const adapter of adapters) counts[of(id, adapter).kind] += 1
  return counts
}

/** The same table for a terminal. */
export function textOutcomes(outcomes: Outcomes): string {
  const table = [
    ['', ...outcomes.adapters],
    ...outcomes.cases.map((id) => [id, ...outcomes.adapters.map((adapter) => markOf(outcomes.of(id, adapter)))]),
  ]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0))) ?? []
  return table
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
