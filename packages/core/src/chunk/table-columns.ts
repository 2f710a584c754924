import { withoutData } from '../document/markdown/data-runs.ts'
import type { Outline } from '../document/markdown/outline.ts'
import { plainHeading } from '../document/markdown/plain-heading.ts'
import { cutText } from '../document/markdown/plain-text.ts'

/** Most characters of column names: in wide tables, all of them would say less about a row than the row. */
const LIMIT = 300
/** A cell ends at a pipe that is neither escaped nor in code. */
const CELLS = /(?:\\.|`[^`|]*`|[^|\\])+|\\/g

/**
 * Returns the column names of the table that a line is a later row of, as one text; undefined elsewhere, and in the
 * head itself.
 */
export function createColumnFinder(text: string, outline: Outline): (line: number) => string | undefined {
  /** First line of each table, by its group. */
  const heads = new Map<number, number>()
  for (const [line, group] of outline.groups.entries())
    if (group > 0 && outline.kinds[line] === 'table' && !heads.has(group)) heads.set(group, line)
  const names = new Map<number, string>()
  return (line) => {
    const head = outline.kinds[line] === 'table' ? heads.get(outline.groups[line] ?? 0) : undefined
    if (head === undefined || head === line) return undefined
    const known = names.get(head) ?? columnNames(text.slice(outline.starts[head], outline.ends[head]))
    names.set(head, known)
    return known === '' ? undefined : known
  }
}

function columnNames(head: string): string {
  const cells = head.slice(0, 4 * LIMIT).match(CELLS) ?? []
  const names = cells.map((cell) => plainHeading(withoutData(cell).replaceAll('\\|', '|'))).filter((name) => name !== '')
  return cutText(names.join(' | '), LIMIT)
}
