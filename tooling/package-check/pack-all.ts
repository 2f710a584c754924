import { execFileSync } from 'node:child_process'
import type { Tarballs } from './empty-project.ts'
import { isRecord, type WorkspacePackage } from '../workspace-packages.ts'

/** Packs the packages of the workspace at `root` in one go and returns the tarball of each name. */
export function packAll(root: string, packages: readonly WorkspacePackage[], destination: string): Tarballs {
  const filters = packages.flatMap((item) => ['--filter', `./${item.path}`])
  const output = execFileSync('pnpm', [...filters, 'pack', '--pack-destination', destination, '--json'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const reports: unknown = JSON.parse(output)
  const list = Array.isArray(reports) ? reports : [reports]
  return new Map(list.filter(isRecord).map((report) => [String(report['name']), String(report['filename'])]))
}
