/** The requirements for publishing a package: fields, ranges, links of its README. Used by `check-workspace.ts`. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord, type WorkspacePackage } from '../workspace-packages.ts'

/** The one place that knows the address of the repository. */
export const REPOSITORY = 'https://github.com/mnemark/mnemark'

/** The first Node with Node-API 10, which better-sqlite3 needs: an older one ends with a segmentation fault. */
const NODE_RANGE = '>=22.14'

const RANGE_FIELDS = ['dependencies', 'optionalDependencies']
/** A caret range, or whatever the workspace rules say of our own packages. */
const IS_OPEN_RANGE = /^(?:\^\d|workspace:)/
const LINK = /\]\(([^)\s]*)\)/g
const IS_ABSOLUTE_LINK = /^(?:https:\/\/|#)/

/** One line for each rule that a published package breaks. */
export function publishingProblems(item: WorkspacePackage): readonly string[] {
  if (item.manifest['private'] === true) return []
  return [...fieldProblems(item), ...openRangeProblems(item), ...linkProblems(item)]
}

function fieldProblems({ manifest, path }: WorkspacePackage): readonly string[] {
  const engines = isRecord(manifest['engines']) ? manifest['engines'] : {}
  const { keywords, files } = manifest
  const wanted = {
    homepage: `${REPOSITORY}/tree/main/${path}#readme`,
    bugs: `${REPOSITORY}/issues`,
    repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: path },
  }
  const rules: Readonly<Record<string, boolean>> = {
    [`"engines": { "node": "${NODE_RANGE}" }`]: engines['node'] === NODE_RANGE,
    '"keywords": three or more': Array.isArray(keywords) && keywords.length >= 3,
    '"files" without sources: what is published is built': Array.isArray(files) && !files.includes('src'),
  }
  const fields = Object.entries(wanted)
    .filter(([field, value]) => JSON.stringify(manifest[field]) !== JSON.stringify(value))
    .map(([field, value]) => `"${field}": ${JSON.stringify(value)}`)
  const broken = Object.entries(rules).filter(([, isKept]) => !isKept)
  return [...broken.map(([rule]) => rule), ...fields].map((rule) => `package.json needs ${rule}`)
}

/** An exact version would give a consumer a copy of its own of each dependency; the lockfile pins what we test with. */
function openRangeProblems({ manifest }: WorkspacePackage): readonly string[] {
  return RANGE_FIELDS.flatMap((field) => {
    const ranges = manifest[field]
    return Object.entries(isRecord(ranges) ? ranges : {})
      .filter(([, range]) => typeof range !== 'string' || !IS_OPEN_RANGE.test(range))
      .map(([name, range]) => `${field} has ${name} as ${JSON.stringify(range)}: a caret range is needed`)
  })
}

/** A registry shows the README far from the repository, where relative links lead nowhere. */
function linkProblems({ directory }: WorkspacePackage): readonly string[] {
  const file = join(directory, 'README.md')
  if (!existsSync(file)) return []
  return [...readFileSync(file, 'utf8').matchAll(LINK)]
    .map((match) => match[1] ?? '')
    .filter((link) => !IS_ABSOLUTE_LINK.test(link))
    .map((link) => `README.md links to ${link}: registries show it elsewhere, begin with ${REPOSITORY}/blob/main/`)
}
