import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { checkWorkspace } from '../workspace-check/check-workspace.ts'
import { surround, testNewPackage } from './new-package-around.ts'
import { writeNewStore } from './new-store.ts'
import { filesUnder } from '../workspace-packages.ts'

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

  testNewPackage(PACKAGE, () => root, write)
})

test('a name with the prefix is answered with the right command', () => {
  const root = temporaryFolder()
  onTestFinished(() => rmSync(root, { recursive: true }))
  expect(() => write(root, 'store-acme')).toThrow('pnpm new:store acme')
})
