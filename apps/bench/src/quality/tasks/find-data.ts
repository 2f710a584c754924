import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

export const DATA_VARIABLE = 'MNEMARK_EVAL_DATA'

/** The folder of evaluation data, or why there is none to read. */
export type DataFolder = { readonly folder: string } | { readonly missing: string }

/** `named` (the `--data` option) goes before the environment. */
export function findData(named: string | undefined, environment: Readonly<Record<string, string | undefined>>): DataFolder {
  const path = named ?? environment[DATA_VARIABLE]
  const how = `Name the folder with --data DIR or ${DATA_VARIABLE}; apps/bench/README.md says what it holds.`
  if (path === undefined || path === '') return { missing: `No evaluation data: the quality benchmark is skipped. ${how}` }
  const folder = resolve(path)
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    return { missing: `No evaluation data in ${folder}: the quality benchmark is skipped. ${how}` }
  }
  return { folder }
}
