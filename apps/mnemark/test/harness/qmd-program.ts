import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The real program, from the development dependencies. */
export const QMD: string = findProgram() ?? 'qmd'
export const hasQmd: boolean = existsSync(QMD)
if (!hasQmd) console.warn('The qmd program is not installed (pnpm install): tests with it are skipped.')

function findProgram(): string | null {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve('@tobilu/qmd'))), '../bin/qmd')
  } catch {
    return null
  }
}
