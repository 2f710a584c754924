/** The shape of the workspace: edges between packages, files and fields each must have, imports, comments. `pnpm run check:workspace`. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allowedDependencies, NODE_FILES, PURE_PACKAGES } from '../package-rules.ts'
import { commentProblems } from './comment-rules.ts'
import { importGraphOf, IS_TEST } from './import-graph.ts'
import { publishingProblems } from './publishing-rules.ts'
import { structureProblems } from './structure-rules.ts'
import { clockProblems } from './test-clocks.ts'
import { importedModules, nodeModuleOf, packageOf, withoutComments } from './source-imports.ts'
import {
  dependencyNames,
  filesUnder,
  isRecord,
  readManifest,
  readPackages,
  SCOPE,
  type WorkspacePackage,
} from '../workspace-packages.ts'

const RUNTIME_FIELDS = ['dependencies', 'peerDependencies', 'optionalDependencies']

const isPrivate = (item: WorkspacePackage): boolean => item.manifest['private'] === true
const isOurs = (name: string, ownNames: ReadonlySet<string>): boolean => name.startsWith(SCOPE) || ownNames.has(name)
const expectedName = (item: WorkspacePackage): string => (item.kind === 'package' ? SCOPE + item.folder : item.folder)

function fileProblems(item: WorkspacePackage): readonly string[] {
  const files = ['README.md', 'tsconfig.json', ...(item.kind === 'package' ? ['src/index.ts'] : [])]
  return files.filter((file) => !existsSync(join(item.directory, file))).map((file) => `${file} is missing`)
}

function fieldProblems(item: WorkspacePackage): readonly string[] {
  const { manifest } = item
  const engines = isRecord(manifest['engines']) ? manifest['engines'] : {}
  const rules: Readonly<Record<string, boolean>> = {
    [`a "name" that follows from its folder: ${expectedName(item)}`]: isPrivate(item) || manifest['name'] === expectedName(item),
    '"license": "MIT"': manifest['license'] === 'MIT',
    '"type": "module"': manifest['type'] === 'module',
    '"engines": { "node": ... }': typeof engines['node'] === 'string',
    '"files": [...]': isPrivate(item) || (Array.isArray(manifest['files']) && manifest['files'].length > 0),
    '"description"': isPrivate(item) || typeof manifest['description'] === 'string',
    '"sideEffects": false': item.kind === 'app' || manifest['sideEffects'] === false,
    '"exports": { ".": ... }': item.kind === 'app' || (isRecord(manifest['exports']) && Object.hasOwn(manifest['exports'], '.')),
  }
  return Object.entries(rules)
    .filter(([, isKept]) => !isKept)
    .map(([rule]) => `package.json needs ${rule}`)
}

/** `mnemark-source` lets development run without a build, `types` must precede `default` for TypeScript to see it. */
function exportProblems(item: WorkspacePackage): readonly string[] {
  const { exports } = item.manifest
  return Object.entries(isRecord(exports) ? exports : {}).flatMap(([subpath, target]) => {
    const conditions = isRecord(target) ? Object.keys(target) : []
    if (conditions.join() !== 'mnemark-source,types,default')
      return [`exports["${subpath}"] needs mnemark-source, types and default, in that order`]
    const source = isRecord(target) ? String(target['mnemark-source']) : ''
    return existsSync(join(item.directory, source)) ? [] : [`exports["${subpath}"] names a source that is missing: ${source}`]
  })
}

function edgeProblems(item: WorkspacePackage, ownNames: ReadonlySet<string>): readonly string[] {
  // An app is where everything is put together, so any package may be named there.
  if (item.kind === 'app') return []
  if (allowedDependencies(item.folder, false) === undefined)
    return [`the package is not in the table of tooling/package-rules.ts: add it there with what it may depend on`]
  return [...RUNTIME_FIELDS, 'devDependencies'].flatMap((field) => {
    const allowed = allowedDependencies(item.folder, field === 'devDependencies') ?? []
    return dependencyNames(item.manifest, field)
      .filter((name) => isOurs(name, ownNames) && !allowed.some((folder) => SCOPE + folder === name))
      .map((name) => `${field} has ${name}, allowed are: ${allowed.join(', ') || 'none'}`)
  })
}

function rangeProblems(item: WorkspacePackage, ownNames: ReadonlySet<string>): readonly string[] {
  return [...RUNTIME_FIELDS, 'devDependencies'].flatMap((field) => {
    const dependencies = item.manifest[field]
    return Object.entries(isRecord(dependencies) ? dependencies : {})
      .filter(([name, range]) => isOurs(name, ownNames) && range !== 'workspace:^')
      .map(([name]) => `${field} must name ${name} as "workspace:^"`)
  })
}

const sourceFiles = (item: WorkspacePackage): readonly string[] => filesUnder(join(item.directory, 'src'), '.ts')

/** Tests may also use what the root brings for all tests (vitest, fast-check) and the package's own development dependencies. */
function importProblems(item: WorkspacePackage, rootNames: readonly string[]): readonly string[] {
  const runtime = new Set([expectedName(item), ...RUNTIME_FIELDS.flatMap((field) => dependencyNames(item.manifest, field))])
  const inTests = new Set([...runtime, ...dependencyNames(item.manifest, 'devDependencies'), ...rootNames])
  return sourceFiles(item).flatMap((file) => {
    const declared = IS_TEST.test(file) ? inTests : runtime
    return importedModules(readFileSync(join(item.directory, 'src', file), 'utf8')).flatMap((specifier) => {
      const name = nodeModuleOf(specifier) === undefined ? packageOf(specifier) : undefined
      return name === undefined || declared.has(name) ? [] : [`src/${file} imports ${name}, which package.json does not declare`]
    })
  })
}

function purityProblems(item: WorkspacePackage): readonly string[] {
  if (item.kind === 'app' || !PURE_PACKAGES.some((name) => name === item.folder)) return []
  return sourceFiles(item)
    .filter((file) => !IS_TEST.test(file) && !NODE_FILES.includes(file))
    .flatMap((file) => {
      const source = readFileSync(join(item.directory, 'src', file), 'utf8')
      const impure = importedModules(source).filter((specifier) => nodeModuleOf(specifier) !== undefined)
      const calls = /\bfetch\s*\(/.test(withoutComments(source)) ? ['fetch()'] : []
      return [...impure, ...calls].map((what) => `src/${file} uses ${what}; ${item.folder} takes effects as arguments`)
    })
}

function fragmentProblems(item: WorkspacePackage): readonly string[] {
  return sourceFiles(item)
    .filter((file) => !IS_TEST.test(file))
    .flatMap((file) => commentProblems(`src/${file}`, readFileSync(join(item.directory, 'src', file), 'utf8')))
}

/** Tests that pass or fail by how busy the machine is. */
function clockProblemsIn(directory: string, folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    filesUnder(join(directory, folder), '.test.ts').flatMap((file) => {
      const path = folder === '' ? file : `${folder}/${file}`
      return clockProblems(readFileSync(join(directory, path), 'utf8')).map((problem) => `${path} ${problem}`)
    }),
  )
}

/** One line for each broken rule, `packages/core: …`; empty when all is well. */
export function checkWorkspace(root: string): readonly string[] {
  const packages = readPackages(root)
  const ownNames = new Set(packages.map(expectedName))
  const rootNames = dependencyNames(readManifest(root), 'devDependencies')
  const own = clockProblemsIn(root, ['tooling', 'examples']).map((problem) => `.: ${problem}`)
  const ofPackages = packages.flatMap((item) =>
    [
      ...fileProblems(item),
      ...fieldProblems(item),
      ...exportProblems(item),
      ...edgeProblems(item, ownNames),
      ...rangeProblems(item, ownNames),
      ...importProblems(item, rootNames),
      ...purityProblems(item),
      ...publishingProblems(item),
      ...structureProblems(item.folder, importGraphOf(join(item.directory, 'src'))),
      ...fragmentProblems(item),
      ...clockProblemsIn(item.directory, ['src', 'test', 'examples']),
    ].map((problem) => `${item.path}: ${problem}`),
  )
  return [...own, ...ofPackages]
}

if (import.meta.main) {
  const problems = checkWorkspace(join(import.meta.dirname, '../..'))
  for (const problem of problems) console.error(problem)
  if (problems.length === 0) console.log('check-workspace: ok')
  else process.exitCode = 1
}
