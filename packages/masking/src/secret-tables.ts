import { isKeyLike, KEY_WORD, LEAST_SECRET, PASSWORD_WORD } from './secret-words.ts'
import type { Range } from './ranges.ts'

const PASSWORD_CELL = new RegExp(String.raw`${PASSWORD_WORD}|^\W{0,6}(?:pass|pw|pin)\W{0,6}$`, 'iu')
const KEY_CELL = new RegExp(KEY_WORD, 'iu')

interface Cell {
  readonly start: number
  readonly text: string
}

/** Finds cells of a Markdown table in a column or row that is labelled with a word for a secret. */
export function secretCells(text: string): readonly Range[] {
  return text.includes('|') ? tablesOf(text).flatMap(cellsToHide) : []
}

/** Runs of lines with `|`, as rows of cells. */
function tablesOf(text: string): readonly (readonly (readonly Cell[])[])[] {
  const tables: (readonly Cell[])[][] = []
  let isInside = false
  let offset = 0
  for (const line of text.split('\n')) {
    const hasBars = line.includes('|')
    if (hasBars && !isInside) tables.push([])
    if (hasBars) tables.at(-1)?.push(cellsOf(line.trimEnd(), offset))
    isInside = hasBars
    offset += line.length + 1
  }
  return tables
}

function cellsToHide(rows: readonly (readonly Cell[])[]): readonly Range[] {
  const hasHeader = rows[1]?.every((cell) => /^:?-+:?$/u.test(cell.text)) ?? false
  const header = hasHeader ? (rows[0] ?? []) : []
  return rows.slice(hasHeader ? 2 : 0).flatMap((row) =>
    row.flatMap(({ start, text }, column): Range[] => {
      const labels = [header[column]?.text ?? '', column > 0 ? (row[0]?.text ?? '') : '']
      return labels.some((label) => isSecretCell(label, text)) ? [[start, start + text.length]] : []
    }),
  )
}

function isSecretCell(label: string, value: string): boolean {
  if (value.length < LEAST_SECRET) return false
  return PASSWORD_CELL.test(label) || (KEY_CELL.test(label) && !/\s/u.test(value) && isKeyLike(value))
}

function cellsOf(line: string, offset: number): readonly Cell[] {
  const cells: Cell[] = []
  let start = /^[\s>*+-]{0,20}\|/u.exec(line)?.[0].length ?? 0
  while (start < line.length) {
    const bar = line.indexOf('|', start)
    const end = bar < 0 ? line.length : bar
    const raw = line.slice(start, end)
    cells.push({ start: offset + start + raw.length - raw.trimStart().length, text: raw.trim() })
    start = end + 1
  }
  return cells
}
