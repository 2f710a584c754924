/**
 * Every command and snippet of the documentation is run from the folder where its page says it is typed, by a reader who has `mnemark` on
 * PATH and the example notes in `~/notes`. What cannot be run says why in a comment above it, and which test stands in for it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { isWholeProgram } from '../package-check/readme-examples.ts'
import { DocumentedHome, ROOT } from './documented-home.ts'
import { FILES_OF_READERS } from './files-of-readers.ts'
import { servicesOf } from './services-of-readers.ts'
import { tryPage } from './try-page.ts'

const pages = [
  'README.md',
  'README.ar.md',
  'CONTRIBUTING.md',
  'examples/README.md',
  ...['docs', 'docs/guides'].flatMap(markdownIn),
  ...['examples', 'packages', 'apps'].flatMap((parent) => foldersIn(parent).map((folder) => `${folder}/README.md`)),
].filter((page) => existsSync(join(ROOT, page)))

/** Programs that tests of their own run; those in the READMEs of packages `pnpm test:package` runs, as they are published. */
const programs = [...foldersIn('packages').flatMap((folder) => [`${folder}/examples`, `${folder}/src`]), 'examples'].flatMap(
  sourcesIn,
)

test.each(pages)('%s', async (path) => {
  await using stack = new AsyncDisposableStack()
  let made: Promise<DocumentedHome> | undefined
  const make = async (): Promise<DocumentedHome> => {
    const home = stack.use(await DocumentedHome.make({ ...FILES_OF_READERS['*'], ...FILES_OF_READERS[path] }))
    const services = stack.use(await servicesOf(path))
    if (services !== undefined) home.write('~/.config/mnemark/mnemark.json5', services.configuration)
    return home
  }
  const problems = await tryPage({
    path,
    text: read(path),
    folder: folderOf(path),
    home: () => (made ??= make()),
    isRun: (program) =>
      (/^(?:packages\/|apps\/mnemark\/)/u.test(path) && isWholeProgram(program)) ||
      programs.some((source) => source.includes(program)),
  })
  expect(problems).toEqual([])
})

/** The folder that the page names; a translation is typed where its original is. */
function folderOf(path: string): string {
  const text = read(path.replace('.ar.md', '.md')).replaceAll(/\s+/gu, ' ').toLowerCase()
  if (text.includes('typed in the root of the checkout')) return '.'
  return text.includes('typed in this folder') ? dirname(path) : '~/notes'
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function markdownIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? [`${folder}/${name}`] : []))
}

function foldersIn(parent: string): readonly string[] {
  return readdirSync(join(ROOT, parent), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [`${parent}/${entry.name}`] : [],
  )
}

function sourcesIn(folder: string): readonly string[] {
  if (!existsSync(join(ROOT, folder))) return []
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'))
}
