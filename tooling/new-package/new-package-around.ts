/** For tests of `new:provider` and `new:store`: a repository with nothing but the new package. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { JsonRecord } from '../workspace-packages.ts'

const ROOT = join(import.meta.dirname, '../..')

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

interface CaseResult {
  readonly id: string
  readonly status: string
}

/** Runs the package's own tests and returns their results. */
function contractResults(root: string): readonly CaseResult[] {
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

/** Tests that hold for a new package of any kind as it was written. `root` is called when the tests run. */
export function testNewPackage(folder: string, root: () => string, write: (root: string, name: string) => void): void {
  const prefix = folder.slice(0, folder.indexOf('-') + 1)
  const tool = (path: string, ...commandLine: readonly string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'node_modules', path), ...commandLine], { cwd: root(), encoding: 'utf8' })

  test.each([
    { use: 'as it is', project: 'tsconfig.json', more: [] },
    // Sources again, since the packages around it may not be built.
    { use: 'for a build', project: `${folder}/tsconfig.json`, more: ['--customConditions', 'mnemark-source', '--rootDir', '/'] },
  ])('type-checks $use', ({ project, more }) => {
    const { status, stdout } = tool('typescript/bin/tsc', '--noEmit', '-p', project, ...more)
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })

  test('passes the linter', () => {
    const { status, stdout } = tool('oxlint/bin/oxlint', '--deny-warnings', '-c', join(ROOT, '.oxlintrc.json'), `${folder}/src`)
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.any(String) })
  })

  test.each(['a', 'x'.repeat(24)])('passes the formatter, whatever the length of its name: %s', (name) => {
    write(root(), name)
    const { status, stderr } = tool('@biomejs/biome/bin/biome', 'format', '--config-path', root(), prefix + name)
    rmSync(join(root(), prefix + name), { recursive: true })
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('No fixes applied') })
  })

  test('passes its whole contract as it is', () => {
    const results = contractResults(root())
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(results.length).toBeGreaterThan(45)
  })
}
