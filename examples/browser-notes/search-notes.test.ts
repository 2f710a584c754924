import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openNotes } from './search-notes.ts'

const WORKSPACE = join(import.meta.dirname, '../workspace')
const NOTES = Object.fromEntries(
  globSync('**/*.md', { cwd: WORKSPACE }).map((path) => [
    relative('.', path).replaceAll('\\', '/'),
    readFileSync(join(WORKSPACE, path), 'utf8'),
  ]),
)
const QUESTIONS = ['which network is the printer on', 'قرر', '东京', 'memorySearch.query.hybrid', 'VLAN 10', 'zzzz']

/** One script that defines `notes`, as a page or a worker loads it. */
async function bundle(conditions: readonly string[]): Promise<string> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, 'search-notes.ts')],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'notes',
    target: 'es2022',
    conditions: ['mnemark-source', ...conditions],
  })
  const ofNode = Object.keys(metafile.inputs).filter((path) => path.startsWith('node:') || path.endsWith('sha256-node.ts'))
  expect(ofNode).toEqual([])
  return outputFiles[0]?.text ?? ''
}

/** Asks `openNotes` each question inside the script's realm; the answers come back as JSON text. */
const ASK = `(async (texts, questions) => {
  const ask = await notes.openNotes(texts)
  const answers = []
  for (const question of questions) answers.push(await ask(question))
  return JSON.stringify(answers)
})`

let onNode: unknown

beforeAll(async () => {
  const ask = await openNotes(NOTES)
  const answers = []
  for (const question of QUESTIONS) answers.push(await ask(question))
  onNode = answers
})

test('the questions are answered on Node', () => {
  expect(onNode).toMatchObject([
    [{ citation: expect.stringContaining('memory/home-network.md') }, expect.anything(), expect.anything()],
    expect.arrayContaining([expect.anything()]),
    expect.arrayContaining([expect.anything()]),
    expect.arrayContaining([expect.anything()]),
    expect.arrayContaining([expect.anything()]),
    [],
  ])
})

test('at the edge, with what the web has and nothing of Node, the answers are those of Node', async () => {
  const globals = { AbortController, AbortSignal, DOMException, TextDecoder, TextEncoder, clearTimeout, setTimeout, performance }
  const context = createContext({ ...globals })
  const script = await bundle(['workerd', 'worker'])
  const ask = runInContext(`${script};${ASK}`, context)
  expect(JSON.parse(await ask(NOTES, QUESTIONS))).toEqual(onNode)
})

describe('in a browser', () => {
  const path = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  if (!existsSync(path))
    console.warn(`browser-notes: ${path} is not there, so no browser is tried. apt-get install chromium, or set CHROMIUM to one.`)

  test.skipIf(!existsSync(path))('a page indexes the notes and answers as Node does, without a request', async () => {
    const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] })
    try {
      const page = await browser.newPage()
      const requests: string[] = []
      page.on('request', (request) => requests.push(request.url()))
      await page.addScriptTag({ content: await bundle([]) })
      const answers = await page.evaluate(`${ASK}(${JSON.stringify(NOTES)}, ${JSON.stringify(QUESTIONS)})`)
      expect(JSON.parse(String(answers))).toEqual(onNode)
      expect(requests).toEqual([])
    } finally {
      await browser.close()
    }
  })
})

test('the size that the README names is right to a tenth', async () => {
  const kilobytes = gzipSync(await bundle([])).length / 1000
  console.info(`browser-notes: ${kilobytes.toFixed(0)} KB with gzip`)
  const said = Number(/(\d+) KB with gzip/.exec(readFileSync(join(import.meta.dirname, 'README.md'), 'utf8'))?.[1])
  expect(said, `the bundle has ${kilobytes.toFixed(0)} KB`).toBeGreaterThan(kilobytes * 0.9)
  expect(said, `the bundle has ${kilobytes.toFixed(0)} KB`).toBeLessThan(kilobytes * 1.1)
})
