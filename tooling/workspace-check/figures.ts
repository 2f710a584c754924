/**
 * Figures of the structure of a checkout, for comparing it with an earlier one: `pnpm figures [ROOT]`. What is counted are the sources of
 * all packages and apps; tests, fixtures and examples are left out.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readPackages, type WorkspacePackage } from '../workspace-packages.ts'
import { commentFragments } from './comment-rules.ts'
import { circlesOf, entriesOf, foldersOf, type ImportGraph, importGraphOf } from './import-graph.ts'
import { filesByFolder, upwardImports } from './structure-rules.ts'

const NAMES = /^\s*import\s+(?:type\s+)?\{([^}]*)\}\s+from/gm

interface PackageFigures {
  readonly graph: ImportGraph
  readonly item: WorkspacePackage
  readonly sources: readonly string[]
}

function read(item: WorkspacePackage): PackageFigures {
  const folder = join(item.directory, 'src')
  const graph = importGraphOf(folder)
  return { item, graph, sources: [...graph.keys()].map((file) => readFileSync(join(folder, file), 'utf8')) }
}

/** Name and value, in the order they are printed. */
export function figuresOf(root: string): readonly (readonly [name: string, value: string])[] {
  const all = readPackages(root)
    .filter(({ directory }) => existsSync(join(directory, 'src')))
    .map(read)
  const sources = all.flatMap((each) => each.sources)
  const sum = (count: (figures: PackageFigures) => number): number => all.reduce((total, each) => total + count(each), 0)
  const [fullest, most] = all
    .flatMap(({ item, graph }) =>
      [...filesByFolder(graph)].map(([folder, count]): [string, number] => [`${item.path}/src/${folder}`, count]),
    )
    .reduce((left, right) => (right[1] > left[1] ? right : left))
  const names = sources.reduce((total, source) => total + importedNames(source), 0)
  return [
    ['files', String(sources.length)],
    ['files that one other file imports', String(sum(({ graph }) => importedOnce(graph)))],
    ['largest folder', `${fullest} (${most})`],
    ['circles of files', String(sum(({ graph }) => circlesOf(graph).length))],
    [
      'circles of folders',
      String(sum(({ graph }) => foldersOf(graph).reduce((n, at) => n + circlesOf(entriesOf(graph, at)).length, 0))),
    ],
    ['imports of a folder that stands higher', String(sum(({ item, graph }) => upwardImports(item.folder, graph).length))],
    ['names imported a file', (names / sources.length).toFixed(1)],
    ['comments that begin with a fragment', String(sources.reduce((n, source) => n + commentFragments(source).length, 0))],
  ]
}

function importedOnce(graph: ImportGraph): number {
  const importers = new Map<string, number>()
  for (const targets of graph.values()) for (const target of targets) importers.set(target, (importers.get(target) ?? 0) + 1)
  return [...importers.values()].filter((count) => count === 1).length
}

function importedNames(source: string): number {
  return [...source.matchAll(NAMES)].reduce(
    (n, [, names = '']) => n + names.split(',').filter((name) => name.trim() !== '').length,
    0,
  )
}

if (import.meta.main) {
  for (const [name, value] of figuresOf(resolve(process.argv[2] ?? join(import.meta.dirname, '../..'))))
    console.log(`${name}: ${value}`)
}
