/** Each packed package alone in an empty project on every Node it is for: whether it loads, how large it is, and how long that takes. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmptyProject, fetchNode, type Tarballs } from './empty-project.ts'
import { dependencyNames, isRecord, type JsonRecord } from '../workspace-packages.ts'

const NODES = ['22.14.0', '24', '26']
/** A Node that is too old: it must get an error message instead of ending by a signal. */
const TOO_OLD = '22.13.0'
const RUNS = 5

export interface PackedPackage {
  readonly name: string
  readonly manifest: JsonRecord
}

export interface Measurement {
  readonly name: string
  readonly packedBytes: number
  /** Dependencies, our own packages included, optional ones left out. */
  readonly dependencies: number
  readonly installedBytes: number
  /** Median, by the Node's version; null where it does not load. */
  readonly importMs: ReadonlyMap<string, number | null>
}

export interface Measured {
  readonly measurements: readonly Measurement[]
  readonly problems: readonly string[]
}

interface Node {
  readonly version: string
  readonly program: string
}

export function measurePackages(packages: readonly PackedPackage[], tarballs: Tarballs): Measured {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-nodes-'))
  try {
    const nodes = NODES.flatMap((version) => findNode(version, folder))
    const problems: string[] = []
    const measurements = packages.map((each) => measure(each, { tarballs, nodes, problems }))
    problems.push(...findNode(TOO_OLD, folder).flatMap((node) => oldNodeProblems(node, tarballs)))
    return { measurements, problems }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function findNode(version: string, folder: string): readonly Node[] {
  const program = fetchNode(version, folder)
  if (program !== null) return [{ version, program }]
  console.log(`skipped: Node ${version} does not install here`)
  return []
}

interface Setting {
  readonly tarballs: Tarballs
  readonly nodes: readonly Node[]
  readonly problems: string[]
}

function measure({ name, manifest }: PackedPackage, { tarballs, nodes, problems }: Setting): Measurement {
  using project = new EmptyProject(name, tarballs)
  const entries = Object.keys(isRecord(manifest['exports']) ? manifest['exports'] : {}).map((subpath) => name + subpath.slice(1))
  const importMs = new Map(nodes.map(({ version, program }) => [version, timeOf(project, program, entries[0] ?? name)]))
  for (const { version, program } of nodes)
    for (const entry of entries)
      for (const [way, commandLine] of Object.entries(waysTo(entry))) {
        const { status, stderr } = project.run(program, commandLine)
        if (status !== 0 && !lacksOptional(stderr, manifest))
          problems.push(`${name}: ${way} of ${entry} on Node ${version} fails: ${lastLines(stderr)}`)
      }
  const dependencies = dependencyNames(manifest, 'dependencies').length
  const packedBytes = statSync(tarballs.get(name) ?? '').size
  console.log(`measured ${name}`)
  return { name, packedBytes, dependencies, installedBytes: project.size, importMs }
}

/** Optional packages are not installed, and an entry that needs one fails with Node's own error. */
function lacksOptional(stderr: string, manifest: JsonRecord): boolean {
  const missing = /Cannot find package '([^']+)'/.exec(stderr)?.[1]
  return missing !== undefined && dependencyNames(manifest, 'peerDependenciesMeta').includes(missing)
}

const waysTo = (entry: string): Readonly<Record<string, readonly string[]>> => ({
  import: ['--no-warnings', '--input-type=module', '--eval', `await import('${entry}')`],
  require: ['--no-warnings', '--input-type=commonjs', '--eval', `require('${entry}')`],
})

function timeOf(project: EmptyProject, program: string, entry: string): number | null {
  const code = `const start = performance.now(); await import('${entry}'); console.log(performance.now() - start)`
  const times = Array.from({ length: RUNS }, () => {
    const { status, stdout } = project.run(program, ['--no-warnings', '--input-type=module', '--eval', code])
    return status === 0 ? Number(stdout) : Number.NaN
  }).toSorted((left, right) => left - right)
  const median = times[Math.floor(RUNS / 2)] ?? Number.NaN
  return Number.isNaN(median) ? null : median
}

const lastLines = (text: string): string => text.trim().split('\n').slice(0, 6).join(' / ')

/** On an older Node the engine must not be loaded at all. */
function oldNodeProblems({ version, program }: Node, tarballs: Tarballs): readonly string[] {
  using project = new EmptyProject('mnemark', tarballs)
  const code = `
    const { openSqliteStore } = await import('@mnemark/store-sqlite')
    await openSqliteStore({ path: ':memory:' }).catch((error) => console.log(error.code))`
  const store = project.run(program, ['--no-warnings', '--input-type=module', '--eval', code])
  const cli = project.run(program, ['node_modules/mnemark/dist/cli.js', '--version'])
  return [
    ...(store.stdout.trim() === 'engine-missing'
      ? []
      : [`store-sqlite on Node ${version}: ${store.stdout}${lastLines(store.stderr)}`]),
    ...(cli.status === 3 ? [] : [`mnemark on Node ${version} ends with ${cli.status}: ${lastLines(cli.stderr)}`]),
  ]
}

const BEGIN = '<!-- packages: written by pnpm test:package --all-nodes --write -->'
const END = '<!-- end of packages -->'

/** Puts the table into the page between its marks. Throws an Error where these are missing. */
export function writeTable(page: string, { measurements }: Measured): void {
  const text = readFileSync(page, 'utf8')
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (begin === -1 || end === -1) throw new Error(`${page} has no place for the table: ${BEGIN} … ${END}`)
  writeFileSync(page, `${text.slice(0, begin + BEGIN.length)}\n\n${tableOf(measurements)}\n${text.slice(end)}`)
}

function tableOf(measurements: readonly Measurement[]): string {
  const versions = [...(measurements[0]?.importMs.keys() ?? [])]
  const head = [
    'package',
    'KB packed',
    'dependencies',
    'MB installed',
    ...versions.map((version) => `ms on Node ${version}`),
    'publint',
    'types',
  ]
  const rows = measurements.map(({ name, packedBytes, dependencies, installedBytes, importMs }) => [
    `\`${name}\``,
    (packedBytes / 1000).toFixed(0),
    String(dependencies),
    (installedBytes / 1_000_000).toFixed(1),
    ...versions.map((version) => importMs.get(version)?.toFixed(0) ?? 'does not load'),
    'ok',
    'ok',
  ])
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}
