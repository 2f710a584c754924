import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { checkWorkspace } from '../workspace-check/check-workspace.ts'
import { surround, testNewPackage } from './new-package-around.ts'
import { writeNewProvider } from './new-provider.ts'
import { filesUnder } from '../workspace-packages.ts'
import { NewPackageError } from './write-package.ts'

const ROOT = join(import.meta.dirname, '../..')
const NAME = 'two-words'
const PACKAGE = `packages/embed-${NAME}`

const temporaryFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'mnemark-provider-')))
const write = (root: string, name: string = NAME): readonly string[] => writeNewProvider({ root, name, month: '2026-11' })

function emptyFolder(): string {
  const root = temporaryFolder()
  onTestFinished(() => rmSync(root, { recursive: true }))
  return root
}

describe('what is refused, before anything is written', () => {
  test.each(['', 'Acme', 'acme_x', '../acme', 'a/b', '9lives', 'acme-', '-acme', 'a--b', 'acme x', 'acmé', 'a'.repeat(25)])(
    'the name "%s"',
    (name) => {
      const root = emptyFolder()
      expect(() => write(root, name)).toThrow(/cannot be the name/)
      expect(filesUnder(root, '')).toEqual([])
    },
  )

  test('a name with the prefix, with the right command', () => {
    expect(() => write(emptyFolder(), 'embed-acme')).toThrow('pnpm new:provider acme')
  })

  test.each([`${PACKAGE}/notes.txt`, `.changeset/embed-${NAME}.md`])('a place where %s is', (path) => {
    const root = emptyFolder()
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), 'mine')
    expect(() => write(root)).toThrow(NewPackageError)
    expect(filesUnder(root, '')).toEqual([path])
    expect(readFileSync(join(root, path), 'utf8')).toBe('mine')
  })

  test.each([
    { commandLine: [], says: /^Usage/ },
    { commandLine: ['one', 'two'], says: /^Usage/ },
    { commandLine: ['openai'], says: /^new:provider: packages\/embed-openai is there already/ },
  ])('the command line $commandLine, with exit code 2 and no stack', ({ commandLine, says }) => {
    const script = join(import.meta.dirname, 'new-provider.ts')
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...commandLine], { encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(says)
    expect(stderr).not.toContain('    at ')
  })
})

test('the command prints what it wrote and what is left to do', () => {
  const root = emptyFolder()
  cpSync(dirname(import.meta.dirname), join(root, 'tooling'), { recursive: true })
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'tooling/new-package/new-provider.ts'), NAME], {
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  expect(stdout).toContain(`${PACKAGE}/src/create.ts\n`)
  expect(stdout).toContain(
    "1. name it in tooling/package-rules.ts: 'embed-two-words': ['spec', 'provider-kit'],\n2. pnpm install\n",
  )
  expect(readFileSync(join(root, PACKAGE, 'src/models.ts'), 'utf8')).toMatch(/, \d{4}-\d{2}\./)
})

describe('a new package', () => {
  let root = ''

  beforeAll(() => {
    root = temporaryFolder()
    write(root)
    surround(root, PACKAGE, ['spec', 'provider-kit', 'testkit'])
  })
  afterAll(() => rmSync(root, { recursive: true }))

  const read = (path: string): string => readFileSync(join(root, path), 'utf8')

  test('has every file, under its own name', () => {
    const files = filesUnder(join(root, PACKAGE), '').filter((file) => !file.startsWith('node_modules'))
    const sources = ['create.test.ts', 'create.ts', 'index.ts', 'models.ts', 'options.ts'].map((file) => `src/${file}`)
    expect(files).toEqual(['README.md', 'package.json', ...sources, 'tsconfig.json'])
    expect(JSON.parse(read(`${PACKAGE}/package.json`))).toMatchObject({ name: `@mnemark/embed-${NAME}`, license: 'MIT' })
    expect(read(`${PACKAGE}/src/index.ts`)).toContain('createTwoWords')
    expect(read(`${PACKAGE}/src/models.ts`)).toContain('TWO_WORDS_EMBEDDING_MODELS')
    expect(read(`${PACKAGE}/README.md`)).toContain('Embeddings from Two Words.')
    expect(read(`.changeset/embed-${NAME}.md`)).toMatch(/^---\n"@mnemark\/embed-two-words": minor\n---\n/)
    expect(files.filter((file) => read(`${PACKAGE}/${file}`).includes('{{'))).toEqual([])
  })

  test('has the fields of the packages beside it', () => {
    const fieldsOf = (text: string): readonly string[] => Object.keys(JSON.parse(text))
    const beside = readFileSync(join(ROOT, 'packages/embed-openai-compatible/package.json'), 'utf8')
    expect(fieldsOf(read(`${PACKAGE}/package.json`))).toEqual(fieldsOf(beside))
  })

  test('keeps the rules of the workspace', () => {
    const other = emptyFolder()
    write(other, 'voyage')
    writeFileSync(join(other, 'package.json'), '{ "devDependencies": {} }')
    expect(checkWorkspace(other)).toEqual([])
  })

  testNewPackage(PACKAGE, () => root, write)
})
