import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const SCRIPT = join(import.meta.dirname, 'quality.ts')

function environment(data?: string): NodeJS.ProcessEnv {
  const { MNEMARK_EVAL_DATA: _data, ...rest } = process.env
  return data === undefined ? rest : { ...rest, MNEMARK_EVAL_DATA: data }
}

function run(args: readonly string[], data?: string): string {
  return execFileSync(process.execPath, ['--conditions=mnemark-source', SCRIPT, ...args], {
    env: environment(data),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-bench-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('without data it says how to name some and is skipped', () => {
  expect(run([])).toMatch(/skipped.*--data DIR or MNEMARK_EVAL_DATA/)
  expect(run([], '/nowhere/at/all')).toMatch(/nowhere.*skipped/)
})

test('bad use is one message and exit code 2', () => {
  const bad = [['--split', 'half'], ['--every', '0'], ['--unknown'], ['--cross', '--set', 'x'], ['--vectors', 'x']]
  for (const args of bad) {
    const result = spawnSync(process.execPath, ['--conditions=mnemark-source', SCRIPT, ...args], {
      env: environment(),
      encoding: 'utf8',
    })
    expect(result.status).toBe(2)
    expect(result.stderr).not.toContain('    at ')
  }
})

const PASSAGES = {
  name: 'tydiqa-goldp',
  lang: 'en',
  docs: [
    { id: 'p0', text: 'The heron eats fish.' },
    { id: 'p1', text: 'The lighthouse was built of granite.' },
  ],
  queries: [
    { id: 'q0', text: 'What is the lighthouse built of?', gold: ['p1'] },
    { id: 'q1', text: 'submarine', gold: ['p0'] },
  ],
}

function writePassages(data: string, folder: string, language: string, passages: object = PASSAGES): void {
  mkdirSync(join(data, folder), { recursive: true })
  writeFileSync(join(data, folder, `${language}.json`), JSON.stringify(passages))
}

function rowsOf(output: string): readonly (readonly string[])[] {
  return output.split('\n').map((line) => line.split(/ {2,}/).map((cell) => cell.trim()))
}

test('runs passages and both forms of a chat through the product, and writes JSON and SVG', () => {
  const data = makeFolder()
  mkdirSync(join(data, 'locomo'))
  writePassages(data, 'tydiqa-goldp', 'en')
  const text = '# 2023-05-08\n\n- Ann: My canary sings. <!-- D1:1 -->\n- Bob: Granite is heavy. <!-- D1:2 -->\n'
  const query = { id: 'q0', text: 'Whose canary sings?', type: 'single-hop', gold: [{ path: 'memory/2023-05-08.md', line: 3 }] }
  const chat = { id: 'c', files: [{ path: 'memory/2023-05-08.md', text }], queries: [query, { ...query, adversarial: true }] }
  writeFileSync(join(data, 'locomo', 'conv-26.json'), JSON.stringify(chat))

  const output = run(['--data', data, '--json', join(data, 'out.json'), '--svg', join(data, 'out.svg')])
  const rows = rowsOf(output)
  expect(rows[1]).toEqual(expect.arrayContaining(['locomo chunks', 'tune', '1', '1.000']))
  expect(rows[2]).toEqual(expect.arrayContaining(['locomo turns', 'tune', '1', '2', '1.000']))
  expect(rows[3]?.slice(0, 9)).toEqual(['tydiqa-goldp en', 'tune', '2', '2', '.500', '.500', '.500', '.500', '.500'])
  expect(JSON.parse(readFileSync(join(data, 'out.json'), 'utf8'))).toMatchObject({
    sets: [
      { name: 'locomo chunks' },
      { name: 'locomo turns' },
      { name: 'tydiqa-goldp en', reference: { best: { ndcgAt10: 0.922 } } },
    ],
  })
  expect(readFileSync(join(data, 'out.svg'), 'utf8')).toContain('tydiqa-goldp en, Mnemark: 0.500')
})

test('a real model finds what words do not, hybrid both, and a second run reads its vectors back', () => {
  const data = makeFolder()
  const docs = [
    { id: 'p0', text: 'My dog has been ill since Monday, so we drove to the vet.' },
    { id: 'p1', text: 'Granite was bought for the kitchen, invoice K-77.' },
    { id: 'p2', text: 'Rain all week; the tomatoes rot.' },
  ]
  const queries = [
    { id: 'q0', text: 'sick puppy', gold: ['p0'] },
    { id: 'q1', text: 'invoice K-77', gold: ['p1'] },
  ]
  writePassages(data, 'tydiqa-goldp', 'en', { ...PASSAGES, docs, queries })
  writePassages(data, 'tydiqa-goldp', 'fi')
  const vectors = join(data, 'vectors.json')
  const args = ['--hybrid', '--data', data, '--variant', 'RRF', '--vectors', vectors]
  const output = run([...args, '--svg', join(data, 'out.svg'), '--json', join(data, 'out.json')])
  const [row] = rowsOf(output).filter(([name]) => name === 'tydiqa-goldp en')
  expect(row?.slice(0, 3)).toEqual(['tydiqa-goldp en', '2', '3'])
  const [keywords, , hybrid] = (row ?? []).slice(3, 6).map(Number)
  expect([keywords, hybrid]).toEqual([0.5, 1])
  expect(output).toMatch(/worst set is tydiqa-goldp en with \+\.000/)
  expect(output).toMatch(/^mnemark +3 +2 +1\.0000/m)
  expect(readFileSync(join(data, 'out.svg'), 'utf8')).toContain('hybrid: 1.000')
  expect(JSON.parse(readFileSync(join(data, 'out.json'), 'utf8')).rankings.map(({ name }: { name: string }) => name)).toEqual([
    'keywords',
    'vectors',
    'hybrid',
    'RRF 1:1',
    'RRF 4:1',
  ])
  const before = readFileSync(vectors)
  run(args)
  expect(readFileSync(vectors)).toEqual(before)
})

test('questions in one language are asked of passages in another', () => {
  const data = makeFolder()
  writePassages(data, 'xquad', 'en')
  const docs = PASSAGES.docs.toReversed().map(({ id }) => ({ id, text: 'Leuchtturm' }))
  writePassages(data, 'xquad', 'de', { ...PASSAGES, docs, queries: [{ id: 'q', text: 'Granite am Leuchtturm?', gold: ['p1'] }] })
  expect(rowsOf(run(['--cross', '--data', data])).slice(1, 3)).toEqual([
    ['de', '1', '1.000', '1.000', '1.000'],
    ['en', '2', '.500', '.500', '.500'],
  ])
})
