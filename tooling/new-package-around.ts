/** For tests of `new:provider` and `new:store`: a repository with nothing but the new package. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonRecord } from './workspace-packages.ts'

const ROOT = dirname(import.meta.dirname)

/** The packages and settings that a package finds around it in the repository. */
export function surround(root: string, folder: string, packages: readonly string[]): void {
  for (const file of ['tsconfig.base.json', 'tsconfig.build.json', 'tsconfig.json', 'biome.json', '.gitignore'])
    copyFileSync(join(ROOT, file), join(root, file))
  const link = (target: string, path: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    symlinkSync(join(ROOT, target), join(root, path), 'junction')
  }
  for (const name of ['@types/node', 'vitest']) link(`node_modules/${name}`, `node_modules/${name}`)
  for (const name of packages) link(`packages/${name}`, `${folder}/node_modules/@mnemark/${name}`)
  const conditions = ['mnemark-source', 'node', 'import', 'default']
  const settings = { resolve: { conditions }, ssr: { resolve: { conditions } }, test: { include: ['packages/*/src/*.test.ts'] } }
  writeFileSync(join(root, 'vitest.config.mjs'), `export default ${JSON.stringify(settings)}\n`)
  writeFileSync(join(root, 'package.json'), '{ "private": true, "type": "module" }')
}

export interface CaseResult {
  readonly id: string
  readonly status: string
}

/** Runs the package's own tests: what came of each. */
export function contractResults(root: string): readonly CaseResult[] {
  const report = join(root, 'report.json')
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...reporters], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  const printed = stdout + stderr
  if (!existsSync(report)) throw new Error(printed)
  const { testResults }: { readonly testResults: readonly { readonly assertionResults: readonly JsonRecord[] }[] } = JSON.parse(
    readFileSync(report, 'utf8'),
  )
  return testResults.flatMap(({ assertionResults }) => assertionResults.map(resultOf))
}

const resultOf = ({ title, status }: JsonRecord): CaseResult => ({
  id: String(title).split(' ')[0] ?? '',
  status: String(status),
})
