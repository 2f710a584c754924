/** One column: its heading, and whether its cells stand right (numbers). */
export interface Column {
  readonly title: string
  readonly isNumber?: boolean
}
export interface Table {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
}

function widths({ columns, rows }: Table): readonly number[] {
  return columns.map(({ title }, index) => Math.max(title.length, ...rows.map((row) => (row[index] ?? '').length)))
}

/** Columns aligned with blanks, for a terminal. Cells are counted in UTF-16 units: keep them to plain characters. */
export function plainTable(table: Table): string {
  const size = widths(table)
  const line = (cells: readonly string[]): string =>
    table.columns
      .map(({ isNumber }, index) => {
        const cell = cells[index] ?? ''
        return isNumber === true ? cell.padStart(size[index] ?? 0) : cell.padEnd(size[index] ?? 0)
      })
      .join('  ')
      .trimEnd()
  return [line(table.columns.map(({ title }) => title)), ...table.rows.map(line)].join('\n')
}

/** The same as a Markdown table. */
export function markdownTable({ columns, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [
    line(columns.map(({ title }) => title)),
    line(columns.map(({ isNumber }) => (isNumber === true ? '---:' : '---'))),
    ...rows.map((row) => line(columns.map((_, index) => row[index] ?? ''))),
  ].join('\n')
}
