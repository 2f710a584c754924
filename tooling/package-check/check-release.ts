/** Tries the next release: makes versions and changelogs in a clone of the commit, and packs everything from there. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packAll } from './pack-all.ts'
import { isRecord, readPackages, type WorkspacePackage } from '../workspace-packages.ts'

interface Changeset {
  readonly bumps: ReadonlyMap<string, string>
  /** The first words of it, which the changelogs must have. */
  readonly summary: string
}

/** One line for each problem of a release; needs a build. */
export function releaseProblems(root: string): readonly string[] {
  const clone = mkdtempSync(join(tmpdir(), 'mnemark-release-'))
  try {
    if (!cloneInto(clone, root)) {
      console.log('skipped: no git repository to make a release from')
      return []
    }
    const before = published(clone)
    const changesets = readChangesets(clone)
    const failure = makeVersions(clone)
    if (failure !== null) return [failure]
    const after = published(clone)
    for (const { path } of after) cpSync(join(root, path, 'dist'), join(clone, path, 'dist'), { recursive: true })
    const packed = join(clone, 'packed')
    mkdirSync(packed)
    const tarballs = packAll(clone, after, packed)
    return [
      ...(readChangesets(clone).length === 0 ? [] : ['changesets are left over']),
      ...after.flatMap((item) => {
        const name = String(item.manifest['name'])
        const named = changesets.filter(({ bumps }) => bumps.has(name))
        const old = String(before.find(({ path }) => path === item.path)?.manifest['version'])
        return [
          ...versionProblems(item, old, named),
          ...changelogProblems(item, named),
          ...tarballProblems(item, tarballs.get(name)),
        ]
      }),
    ]
  } finally {
    rmSync(clone, { recursive: true })
  }
}

function cloneInto(clone: string, root: string): boolean {
  if (!existsSync(join(root, '.git'))) return false
  execFileSync('git', ['clone', '--quiet', root, clone], { stdio: 'pipe' })
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'), 'junction')
  return true
}

function makeVersions(clone: string): string | null {
  const program = join(clone, 'node_modules/@changesets/cli/bin.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'version'], { cwd: clone, encoding: 'utf8' })
  return status === 0 ? null : `changeset version fails: ${stdout}${stderr}`
}

const published = (root: string): readonly WorkspacePackage[] =>
  readPackages(root).filter(({ manifest }) => manifest['private'] !== true)

function readChangesets(root: string): readonly Changeset[] {
  const folder = join(root, '.changeset')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => {
      const [, head = '', summary = ''] = /^---\n([\s\S]*?)---\s*([\s\S]*)$/.exec(readFileSync(join(folder, name), 'utf8')) ?? []
      const bumps = [...head.matchAll(/^"([^"]+)": (\w+)$/gm)].map(([, each = '', bump = '']): [string, string] => [each, bump])
      return { bumps: new Map(bumps), summary: summary.split('\n')[0] ?? '' }
    })
}

/** A change must not go out under the old number, and a first number other than 0 is a decision, never a consequence. */
function versionProblems({ path, manifest }: WorkspacePackage, old: string, named: readonly Changeset[]): readonly string[] {
  const name = String(manifest['name'])
  const version = String(manifest['version'])
  const isMajor = named.some(({ bumps }) => bumps.get(name) === 'major')
  const wasRaised = version.split('.')[0] !== old.split('.')[0]
  return [
    ...(named.length > 0 && version === old ? [`${path} has changesets and stays ${old}`] : []),
    ...(wasRaised && !isMajor ? [`${path} goes from ${old} to ${version}, and no changeset says major`] : []),
  ]
}

function changelogProblems({ path, directory, manifest }: WorkspacePackage, named: readonly Changeset[]): readonly string[] {
  if (named.length === 0) return []
  const file = join(directory, 'CHANGELOG.md')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const heading = `## ${String(manifest['version'])}`
  return [
    ...(text.includes(heading) ? [] : [`${path}/CHANGELOG.md has no "${heading}"`]),
    ...named.filter(({ summary }) => !text.includes(summary)).map(({ summary }) => `${path}/CHANGELOG.md has no "${summary}"`),
  ]
}

/** Ours must be named by a range of versions, as others' packages are. */
function tarballProblems({ path, manifest }: WorkspacePackage, tarball: string | undefined): readonly string[] {
  if (tarball === undefined) return [`${path} was not packed`]
  const text = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' })
  const packed: unknown = JSON.parse(text)
  const version = isRecord(packed) ? packed['version'] : undefined
  return [
    ...(version === manifest['version'] ? [] : [`${path} is packed as ${String(version)}`]),
    ...(text.includes('workspace:') ? [`${path} is packed with a workspace range`] : []),
  ]
}
