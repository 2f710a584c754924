/** Rules about the folders of a package: no circles, no import upwards, no folder that is too full. Read by `check-workspace.ts`. */
import { FOLDERS_FROM_THE_TOP } from '../package-rules.ts'
import { circlesOf, entriesOf, foldersOf, type ImportGraph } from './import-graph.ts'

/** A newcomer sees what a folder holds at a glance. */
export const MAX_FILES = 14

/** One line for each broken rule, for the sources of `folder` (the name of the package's or the app's folder). */
export function structureProblems(folder: string, graph: ImportGraph): readonly string[] {
  return [...circleProblems(graph), ...upwardProblems(folder, graph), ...fullFolderProblems(graph)]
}

/** A circle of files shows as one of the entries of the folder they have in common. */
function circleProblems(graph: ImportGraph): readonly string[] {
  return foldersOf(graph).flatMap((folder) =>
    circlesOf(entriesOf(graph, folder)).map(
      (entries) => `${entries.map((entry) => pathIn(folder, entry)).join(', ')} import each other in a circle`,
    ),
  )
}

/** Imports of a folder that stands higher in the package's own order. */
export function upwardImports(folder: string, graph: ImportGraph): readonly (readonly [from: string, to: string])[] {
  const order = FOLDERS_FROM_THE_TOP[folder] ?? []
  const heightOf = (file: string): number => order.indexOf(file.split('/')[0] ?? '')
  return [...graph].flatMap(([from, targets]) =>
    targets.filter((to) => heightOf(from) > heightOf(to) && heightOf(to) >= 0).map((to): readonly [string, string] => [from, to]),
  )
}

function upwardProblems(folder: string, graph: ImportGraph): readonly string[] {
  const order = FOLDERS_FROM_THE_TOP[folder]
  if (order === undefined) return []
  const unplaced = [...entriesOf(graph, '').keys()].filter((entry) => !entry.endsWith('.ts') && !order.includes(entry))
  return [
    ...unplaced.map((entry) => `src/${entry} has no place in FOLDERS_FROM_THE_TOP of tooling/package-rules.ts`),
    ...upwardImports(folder, graph).map(([from, to]) => `src/${from} imports src/${to}, which stands higher in the package`),
  ]
}

function fullFolderProblems(graph: ImportGraph): readonly string[] {
  return [...filesByFolder(graph)]
    .filter(([, count]) => count > MAX_FILES)
    .map(
      ([folder, count]) =>
        `${pathIn(folder, '')} has ${count} sources, at most are ${MAX_FILES}: group them by the question they answer`,
    )
}

/** How many sources each folder holds itself. */
export function filesByFolder(graph: ImportGraph): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const file of graph.keys()) {
    const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : ''
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return counts
}

const pathIn = (folder: string, entry: string): string => ['src', folder, entry].filter((part) => part !== '').join('/')
