import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The documentation folder of this checkout. */
export const DOCS: string = join(import.meta.dirname, '../../../../docs')

/** Puts `content` between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`. Throws Error when the markers are not there once each. */
export function replaceSection(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`]
  const [before, inside, ...more] = text.split(start)
  const [, after, ...rest] = inside?.split(end) ?? []
  if (before === undefined || after === undefined || more.length + rest.length > 0) {
    throw new Error(`Expected ${start} and, after it, ${end}, once each.`)
  }
  return `${before}${start}\n${content}\n${end}${after}`
}

/** The same in a file of the documentation. Throws Error naming the file. */
export function writeSection(file: string, name: string, content: string): void {
  const path = join(DOCS, file)
  try {
    writeFileSync(path, replaceSection(readFileSync(path, 'utf8'), name, content))
  } catch (cause) {
    throw new Error(`${path} was not changed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
