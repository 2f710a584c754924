/** The picture of which package depends on which, drawn from the manifests. `pnpm docs:architecture` writes it into docs/architecture.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dependencyNames, readPackages, SCOPE, type WorkspacePackage } from '../workspace-packages.ts'

export const ARCHITECTURE_PAGE = 'docs/architecture.md'
const BEGIN = '<!-- dependencies: written by pnpm docs:architecture -->'
const END = '<!-- end of dependencies -->'
const FIELDS = ['dependencies', 'peerDependencies', 'optionalDependencies']

type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Every published package and those it needs to run. */
function dependenciesOf(packages: readonly WorkspacePackage[]): Graph {
  const folders = new Set(packages.map(({ folder }) => folder))
  return new Map(
    packages.map(({ folder, manifest }) => {
      const names = FIELDS.flatMap((field) => dependencyNames(manifest, field)).map((name) => name.replace(SCOPE, ''))
      return [folder, new Set(names.filter((name) => folders.has(name)))]
    }),
  )
}

/** Packages of one kind (`embed-…`) with the same neighbours share a box. */
function boxesOf(graph: Graph): ReadonlyMap<string, readonly string[]> {
  const usersOf = (name: string): readonly string[] => [...graph].filter(([, needs]) => needs.has(name)).map(([user]) => user)
  const keyOf = (name: string): string =>
    name.includes('-') ? [name.split('-')[0], ...[...(graph.get(name) ?? [])].toSorted(), '|', ...usersOf(name)].join(' ') : name
  return new Map(Object.values(Object.groupBy(graph.keys(), keyOf)).map((names = []) => [names[0] ?? '', names]))
}

/** Without the arrows that a longer way shows already. */
function reduced(graph: Graph): Graph {
  const reaches = (from: string, to: string): boolean => {
    const next = graph.get(from) ?? new Set()
    return next.has(to) || [...next].some((each) => reaches(each, to))
  }
  const isDirect = (needs: ReadonlySet<string>, to: string): boolean =>
    ![...needs].some((other) => other !== to && reaches(other, to))
  return new Map([...graph].map(([from, needs]) => [from, new Set([...needs].filter((to) => isDirect(needs, to)))]))
}

/** A Mermaid flow chart of the published packages of the checkout. */
export function dependencyPicture(root: string): string {
  const packages = readPackages(root).filter(({ manifest }) => manifest['private'] !== true)
  const graph = dependenciesOf(packages)
  const boxes = boxesOf(graph)
  const arrows = reduced(graph)
  const lines = [...boxes].flatMap(([box, names]) => [
    `  ${box}["${names.join('<br>')}"]`,
    ...[...(arrows.get(box) ?? [])].filter((to) => boxes.has(to)).map((to) => `  ${box} --> ${to}`),
  ])
  return ['```mermaid', 'flowchart LR', ...lines, '```'].join('\n')
}

/** The page with this picture between its markers. Throws an Error where the page has none. */
export function withPicture(page: string, picture: string): string {
  const from = page.indexOf(BEGIN)
  const to = page.indexOf(END)
  if (from < 0 || to < from) throw new Error(`${ARCHITECTURE_PAGE} needs the lines ${BEGIN} and ${END}`)
  return `${page.slice(0, from + BEGIN.length)}\n${picture}\n${page.slice(to)}`
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  const file = join(root, ARCHITECTURE_PAGE)
  writeFileSync(file, withPicture(readFileSync(file, 'utf8'), dependencyPicture(root)))
}
