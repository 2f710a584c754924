/** Which source of a package imports which: read from the imports, types included, tests and fixtures apart. */
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { filesUnder } from '../workspace-packages.ts'
import { importedModules } from './source-imports.ts'

export const IS_TEST: RegExp = /(?:\.test|\.test-d)\.ts$|(?:^|\/)__fixtures__\//

/** For each source, as a path from the folder with `/`, the sources of the same folder that it imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

export function importGraphOf(folder: string): ImportGraph {
  const files = filesUnder(folder, '.ts').filter((file) => !IS_TEST.test(file))
  const known = new Set(files)
  return new Map(
    files.map((file) => {
      const specifiers = importedModules(readFileSync(join(folder, file), 'utf8')).filter((name) => name.startsWith('.'))
      const targets = specifiers.map((name) => normalize(join(dirname(file), name)).replaceAll('\\', '/'))
      return [file, [...new Set(targets)].filter((target) => target !== file && known.has(target))]
    }),
  )
}

/** Groups of nodes that all reach each other: Tarjan's strongly connected components of two nodes and more. */
export function circlesOf(graph: ReadonlyMap<string, Iterable<string>>): readonly (readonly string[])[] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (node: string): number => {
    const index = order.size
    order.set(node, index)
    stack.push(node)
    let low = index
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (stack.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? low)
    }
    lowest.set(node, low)
    if (low === index) {
      const members = stack.splice(stack.indexOf(node))
      if (members.length > 1) circles.push(members.toSorted())
    }
    return low
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return circles
}

/** The entries of one folder, its files and folders, and which of them import which; '' is the folder at the top. */
export function entriesOf(graph: ImportGraph, folder: string): ReadonlyMap<string, ReadonlySet<string>> {
  const prefix = folder === '' ? '' : `${folder}/`
  const entryOf = (file: string): string | undefined =>
    file.startsWith(prefix) ? file.slice(prefix.length).split('/')[0] : undefined
  const entries = new Map<string, Set<string>>()
  for (const [file, targets] of graph) {
    const from = entryOf(file)
    if (from === undefined) continue
    const found = entries.get(from) ?? new Set<string>()
    entries.set(from, found)
    for (const to of targets.map(entryOf)) if (to !== undefined && to !== from) found.add(to)
  }
  return entries
}

/** Every folder that holds a source, or a folder that does; '' for the top. */
export function foldersOf(graph: ImportGraph): readonly string[] {
  const folders = new Set<string>([''])
  for (const file of graph.keys()) {
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) folders.add(folder)
  }
  return [...folders].toSorted()
}
