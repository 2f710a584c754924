import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkWorkspace } from './check-workspace.ts'
import { contractResults, surround } from './new-package-around.ts'
import { writeNewStore } from './new-store.ts'
import { filesUnder } from './workspace-packages.ts'

const ROOT = dirname(import.meta.dirname)
const NAME = 'two-words'
const PACKAGE = `packages/store-${NAME}`

const write = (root: string, name: string = NAME): readonly string[] => writeNewStore({ root, name, month: '2026-11' })
const temporaryFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'mnemark-store-')))

describe('a new store', () => {
  let root = ''

  beforeAll(() => {
    root = temporaryFolder()
    write(root)
    surround(root, PACKAGE, ['spec', 'store-kit', 'testkit'])
  })
  afterAll(() => rmSync(root, { recursive: true }))

  const read = (path: string): string => readFileSync(join(root, path), 'utf8')
  const tool = (path: string, ...commandLine: readonly string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'node_modules', path), ...commandLine], { cwd: root, encoding: 'utf8' })

  test('is the example under its own name', () => {
    const files = filesUnder(join(root, PACKAGE), '').filter((file) => !file.startsWith('node_modules'))
    const sources = [
      'apply-changes.ts',
      'index.ts',
      'key-value-file.ts',
      'snapshot.ts',
      'two-words-store.test.ts',
      'two-words-store.ts',
    ].map((file) => `src/${file}`)
    expect(files).toEqual(['README.md', 'package.json', ...sources, 'tsconfig.json'])
    expect(read(`${PACKAGE}/src/two-words-store.ts`)).toContain('createTwoWordsStore(file: KeyValueFile)')
    expect(read(`${PACKAGE}/src/two-words-store.ts`)).toContain("kind: 'two-words'")
    expect(read(`.changeset/store-${NAME}.md`)).toMatch(/^---\n"@mnemark\/store-two-words": minor\n---\n/)
    expect(files.filter((file) => /\{\{|KeyValueStore/.test(read(`${PACKAGE}/${file}`)))).toEqual([])
  })

  test('keeps the rules of the workspace', () => {
    const other = temporaryFolder()
    write(other, 'postgres')
    writeFileSync(join(other, 'package.json'), '{ "devDependencies": { "vitest": "5" } }')
    expect(checkWorkspace(other)).toEqual([])
    rmSync(other, { recursive: true })
  })

  test.each([
    { use: 'as it is', project: 'tsconfig.json', more: [] },
    { use: 'for a build', project: `${PACKAGE}/tsconfig.json`, more: ['--customConditions', 'mnemark-source', '--rootDir', '/'] },
  ])('type-checks $use', ({ project, more }) => {
    const { status, stdout } = tool('typescript/bin/tsc', '--noEmit', '-p', project, ...more)
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })

  test('passes the linter', () => {
    const { status, stdout } = tool('oxlint/bin/oxlint', '--deny-warnings', '-c', join(ROOT, '.oxlintrc.json'), `${PACKAGE}/src`)
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.any(String) })
  })

  test.each(['a', 'x'.repeat(24)])('passes the formatter, whatever the length of its name: %s', (name) => {
    write(root, name)
    const { status, stderr } = tool('@biomejs/biome/bin/biome', 'format', '--config-path', root, `packages/store-${name}`)
    rmSync(join(root, `packages/store-${name}`), { recursive: true })
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('No fixes applied') })
  })

  test('passes the levels it has as it is', () => {
    const results = contractResults(root)
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(results.length).toBeGreaterThan(45)
  })
})

test('a name with the prefix is answered with the right command', () => {
  expect(() => write(temporaryFolder(), 'store-acme')).toThrow('pnpm new:store acme')
})
