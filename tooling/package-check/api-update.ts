/** `pnpm api:update` writes each package's `api.md` from its built declarations; `pnpm test:package` says where one differs. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiReport } from './api-report.ts'
import { readPackages, type WorkspacePackage } from '../workspace-packages.ts'

const hasApi = ({ manifest }: WorkspacePackage): boolean => manifest['private'] !== true && manifest['exports'] !== undefined

/** One line for each package whose report differs from its build. */
export function apiProblems(root: string): readonly string[] {
  return readPackages(root)
    .filter(hasApi)
    .filter(({ manifest, directory }) => readReport(directory) !== apiReport(manifest, directory))
    .map(({ path }) => `${path}/api.md is not what the package exports now: run pnpm api:update, and look at the difference`)
}

function readReport(directory: string): string | null {
  const file = join(directory, 'api.md')
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

if (import.meta.main) {
  for (const { manifest, directory } of readPackages(join(import.meta.dirname, '../..')).filter(hasApi))
    writeFileSync(join(directory, 'api.md'), apiReport(manifest, directory))
}
