/**
 * Checks the packages as a user gets them: packs each published package, unpacks it into an empty project, lints the tarball,
 * imports and requires every entry under plain Node, type-checks a program that imports them all, runs the programs of the
 * READMEs, and compares the exports with each package's `api.md`. Needs a build; `pnpm run test:package` does both.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { parseArgs } from 'node:util'
import { EmptyProject, type Tarballs } from './empty-project.ts'
import { measurePackages, writeTable } from './measure-packages.ts'
import { typeResolutionProblems } from './type-resolution.ts'
import { apiProblems } from './api-update.ts'
import { releaseProblems } from './check-release.ts'
import { packAll } from './pack-all.ts'
import { type ReadmeExample, startServices, writeExamples } from './readme-examples.ts'
import { importedModules, nodeModuleOf, packageOf } from '../workspace-check/source-imports.ts'
import {
  dependencyNames,
  filesUnder,
  isRecord,
  type JsonRecord,
  readManifest,
  readPackages,
  type WorkspacePackage,
} from '../workspace-packages.ts'

const ROOT = join(import.meta.dirname, '../..')
const TYPE_CHECK = {
  strict: true,
  target: 'es2024',
  lib: ['es2024', 'esnext.intl', 'esnext.disposable'],
  module: 'nodenext',
  noEmit: true,
}

interface Installed {
  readonly item: WorkspacePackage
  readonly name: string
  readonly tarball: string
  /** Its folder in the consumer's node_modules. */
  readonly directory: string
  /** The manifest as published: workspace ranges are versions there. */
  readonly manifest: JsonRecord
}

/** Unpacks the tarball where a package manager would put it. */
function unpack(item: WorkspacePackage, tarball: string, consumer: string): Installed {
  const name = String(item.manifest['name'])
  const directory = join(consumer, 'node_modules', name)
  mkdirSync(directory, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', directory])
  return { item, name, tarball, directory, manifest: readManifest(directory) }
}

/** Others' packages are linked from the workspace; ours are found in the consumer itself. */
function linkDependencies({ item, directory, manifest }: Installed, ownNames: ReadonlySet<unknown>): void {
  const names = ['dependencies', 'peerDependencies'].flatMap((field) => dependencyNames(manifest, field))
  for (const name of names) {
    const target = join(item.directory, 'node_modules', name)
    if (!ownNames.has(name) && existsSync(target)) link(target, join(directory, 'node_modules', name))
  }
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(realpathSync(target), path, 'junction')
}

/** `@mnemark/testkit/vitest` for the export `./vitest`. */
const entriesOf = ({ name, manifest }: Installed): readonly string[] =>
  Object.keys(isRecord(manifest['exports']) ? manifest['exports'] : {}).map((subpath) => name + subpath.slice(1))

function binariesOf({ directory, manifest }: Installed): readonly string[] {
  const { bin } = manifest
  const paths = isRecord(bin) ? Object.values(bin) : bin === undefined ? [] : [bin]
  return paths.map((path) => join(directory, String(path)))
}

/** The unpacked tarball holds published files only, so publint needs no packing of its own. */
async function lintProblems({ directory, manifest, tarball }: Installed): Promise<readonly string[]> {
  const { messages } = await publint({ pkgDir: directory, pack: false, strict: true })
  const lines = messages.flatMap((message) => formatMessage(message, manifest, { color: false }) ?? [])
  return [...lines, ...(await typeResolutionProblems(tarball))]
}

/** Sources, and the condition that leads to them, stay in the checkout: a consumer who sets it would run them from node_modules. */
const sourceProblems = ({ directory, manifest }: Installed): readonly string[] => [
  ...(JSON.stringify(manifest).includes('mnemark-source') ? ['package.json is published with the condition mnemark-source'] : []),
  ...filesUnder(directory, '.ts').flatMap((file) => (file.endsWith('.d.ts') ? [] : [`${file} is published, a source`])),
  ...filesUnder(directory, '.test.js').map((file) => `${file} is published, a test`),
]

/** Files that the built code imports and the tarball lacks; importing the entries would miss those loaded on demand. */
function missingFileProblems({ directory }: Installed): readonly string[] {
  const dist = join(directory, 'dist')
  return filesUnder(dist, '.js').flatMap((file) =>
    importedModules(readFileSync(join(dist, file), 'utf8'))
      .filter((specifier) => specifier.startsWith('.') && !existsSync(join(dist, dirname(file), specifier)))
      .map((specifier) => `dist/${file} imports ${specifier}, which is not published`),
  )
}

/** Runs a fresh Node without the workspace's `mnemark-source` condition. */
function runProblems(
  consumer: string,
  what: string,
  commandLine: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): readonly string[] {
  const { NODE_OPTIONS: _, ...env } = process.env
  const { status, stderr } = spawnSync(process.execPath, commandLine, {
    cwd: consumer,
    encoding: 'utf8',
    env: { ...env, ...environment },
    timeout: 60_000,
  })
  return status === 0 ? [] : [`${what} fails: ${stderr.trim().split('\n').slice(0, 8).join('\n    ')}`]
}

/** By ES modules and by CommonJS, which loads them too from Node 22.12 on unless one awaits at its top. */
const loadProblems = (consumer: string, installed: Installed): readonly string[] => [
  ...entriesOf(installed).flatMap((entry) => [
    ...runProblems(consumer, `import of ${entry}`, ['--input-type=module', '--eval', `await import('${entry}')`]),
    ...runProblems(consumer, `require of ${entry}`, ['--input-type=commonjs', '--no-warnings', '--eval', `require('${entry}')`]),
  ]),
  ...binariesOf(installed).flatMap((file) => runProblems(consumer, `${file} --help`, [file, '--help'])),
]

/** Errors of the whole program that lie in our declarations or in the importing file; those inside others' declarations are not ours. */
function typeProblems(consumer: string, all: readonly Installed[], examples: readonly ReadmeExample[]): readonly string[] {
  const entries = all.flatMap(entriesOf)
  const imports = entries.map((entry, index) => `import * as entry${index} from '${entry}'`)
  writeFileSync(
    join(consumer, 'index.ts'),
    `${imports.join('\n')}\nexport const entries = [${entries.map((_, index) => `entry${index}`).join(', ')}]\n`,
  )
  const types = ['node']
  writeFileSync(
    join(consumer, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...TYPE_CHECK, types }, files: ['index.ts', ...examples.map(({ file }) => file)] }),
  )
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [compiler, '--pretty', 'false'], { cwd: consumer, encoding: 'utf8' })
  return stdout.split('\n').filter((line) => {
    const file = /^(.+)\(\d+,\d+\): error/.exec(line)?.[1]
    if (file === undefined) return line.startsWith('error')
    return (
      file === 'index.ts' || file.startsWith('readme/') || all.some(({ directory }) => isInside(join(consumer, file), directory))
    )
  })
}

const isInside = (file: string, directory: string): boolean =>
  file.startsWith(directory) && !file.slice(directory.length).includes('node_modules')

/** Problems of each package, by name; under '' those of the program that uses them all. */
async function checkPackages(
  consumer: string,
  packages: readonly WorkspacePackage[],
  tarballs: Tarballs,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const all = packages.map((item) => unpack(item, tarballs.get(String(item.manifest['name'])) ?? '', consumer))
  // Before dependencies are linked, which are not published with the package.
  const lint = await Promise.all(all.map(lintProblems))
  writeFileSync(join(consumer, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
  link(join(ROOT, 'node_modules/@types/node'), join(consumer, 'node_modules/@types/node'))
  const ownNames = new Set(packages.map((item) => item.manifest['name']))
  for (const installed of all) linkDependencies(installed, ownNames)
  const examples = all.flatMap((installed) => examplesOf(installed, consumer))
  const types = typeProblems(consumer, all, examples)
  await using services = await startServices(consumer)
  const problems = all.map((installed, index): [string, readonly string[]] => [
    installed.name,
    [
      ...(lint[index] ?? []),
      ...sourceProblems(installed),
      ...missingFileProblems(installed),
      ...loadProblems(consumer, installed),
      ...types.filter((line) => line.startsWith(`node_modules/${installed.name}/`)),
      ...exampleProblems(consumer, ofPackage(examples, installed), services.environmentOf(installed.name)),
    ],
  ])
  const others = types.filter((line) => !line.startsWith('node_modules/'))
  return new Map([...problems, ['', [...others, ...apiProblems(ROOT)]]])
}

/** The programs of its README, and what they import beside us found as it is in a reader's project. */
function examplesOf({ item, name, directory }: Installed, consumer: string): readonly ReadmeExample[] {
  const examples = writeExamples(readFileSync(join(directory, 'README.md'), 'utf8'), name, consumer)
  for (const module of new Set(examples.flatMap(({ imports }) => imports))) {
    const other = nodeModuleOf(module) === undefined ? packageOf(module) : undefined
    const target = other === undefined ? '' : join(item.directory, 'node_modules', other)
    const place = join(consumer, 'node_modules', other ?? '')
    if (other !== undefined && !existsSync(place) && existsSync(target)) link(target, place)
  }
  return examples
}

const ofPackage = (examples: readonly ReadmeExample[], { name }: Installed): readonly ReadmeExample[] =>
  examples.filter(({ packageName, isRun }) => packageName === name && isRun)

/** Each in a home of its own, with notes where an example looks for them. */
function exampleProblems(
  consumer: string,
  examples: readonly ReadmeExample[],
  environment: Readonly<Record<string, string>>,
): readonly string[] {
  return examples.flatMap(({ file }) => {
    const home = mkdtempSync(join(consumer, 'home-'))
    for (const folder of ['notes/memory', 'Vault', 'docs']) mkdirSync(join(home, folder), { recursive: true })
    writeFileSync(join(home, 'docs/guide.md'), '# Guide\n')
    return runProblems(consumer, `the example ${file}`, ['--no-warnings', file], {
      ...environment,
      HOME: home,
      USERPROFILE: home,
    })
  })
}

function report(problems: ReadonlyMap<string, readonly string[]>): void {
  for (const [name, lines] of problems) {
    if (name !== '') console.log(`${lines.length === 0 ? 'ok' : 'not ok'} ${name}`)
    for (const line of lines) console.log(`  ${line}`)
    if (lines.length > 0) process.exitCode = 1
  }
}

const MOST_APP_BYTES = 62_000_000
/** Adapters with large SDKs: a program that is installed alone has none of them, and says how to get one. */
const LEFT_OUT = 'openai'

/** The program as npm installs it: how large it is, and what it says of a provider that is not there. */
function appProblems(tarballs: Tarballs): readonly string[] {
  using project = new EmptyProject('mnemark', tarballs)
  const megabytes = (project.size / 1_000_000).toFixed(1)
  console.log(`mnemark installed: ${megabytes} MB`)
  mkdirSync(join(project.directory, 'notes'))
  writeFileSync(join(project.directory, 'notes/a.md'), '# Router\n\nIt restarts at night.\n')
  const config = { agents: { defaults: { memorySearch: { provider: LEFT_OUT, remote: { apiKey: 'sk-1' } } } } }
  writeFileSync(join(project.directory, 'mnemark.json5'), JSON.stringify(config))
  const program = join(project.directory, 'node_modules/mnemark/dist/cli.js')
  const said = ['search', 'status', 'doctor'].map((command) => {
    const words = command === 'search' ? ['router'] : []
    const options = ['--workspace', 'notes', '--config', 'mnemark.json5', '--json']
    const { stdout, stderr } = project.run(process.execPath, [program, command, ...words, ...options])
    const advice = `npm install --prefix ${realpathSync(project.directory)} @mnemark/embed-${LEFT_OUT}`
    return stdout.includes(JSON.stringify(advice).slice(1, -1))
      ? []
      : [`mnemark ${command} does not say "${advice}": ${stdout}${stderr}`]
  })
  const isLarge = project.size > MOST_APP_BYTES
  return [
    ...(isLarge ? [`mnemark takes ${megabytes} MB installed, more than ${MOST_APP_BYTES / 1_000_000}`] : []),
    ...said.flat(),
  ]
}

async function main(
  consumer: string,
  { isLong, isWriting }: { readonly isLong: boolean; readonly isWriting: boolean },
): Promise<void> {
  const packages = readPackages(ROOT).filter((item) => item.manifest['private'] !== true)
  const tarballs = packAll(ROOT, packages, consumer)
  report(await checkPackages(consumer, packages, tarballs))
  report(new Map([['', [...appProblems(tarballs), ...releaseProblems(ROOT)]]]))
  if (!isLong) return
  const packed = packages.map(({ manifest }) => ({ name: String(manifest['name']), manifest }))
  const measured = measurePackages(packed, tarballs)
  report(new Map([['', measured.problems]]))
  if (isWriting && process.exitCode === undefined) writeTable(join(ROOT, 'docs/packages.md'), measured)
}

const { values } = parseArgs({ options: { 'all-nodes': { type: 'boolean' }, write: { type: 'boolean' } } })
const consumer = realpathSync(mkdtempSync(join(tmpdir(), 'mnemark-consumer-')))
try {
  await main(consumer, { isLong: values['all-nodes'] === true, isWriting: values.write === true })
} finally {
  rmSync(consumer, { recursive: true })
}
