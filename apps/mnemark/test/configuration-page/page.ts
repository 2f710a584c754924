import { readFileSync } from 'node:fs'
import { renderKeys } from './render-keys.ts'

export const PAGE: URL = new URL('../../../../docs/configuration.md', import.meta.url)
const START = '<!-- keys: written by `pnpm docs:configuration` from the schema -->'
const END = '<!-- end of keys -->'

/** The page with its reference as the schema says it now; throws where the page has no place for it. */
export function currentPage(): { readonly written: string; readonly current: string } {
  const written = readFileSync(PAGE, 'utf8')
  const [before, rest] = written.split(START)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`docs/configuration.md lacks ${START} or ${END}`)
  return { written, current: `${before}${START}\n\n${renderKeys()}\n\n${END}${after}` }
}
