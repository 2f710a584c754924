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
  return execFileSync(process.execPath, ['--conditions=source', SCRIPT, ...args], {
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
  for (const args of [['--split', 'half'], ['--every', '0'], ['--unknown']]) {
    const result = spawnSync(process.execPath, ['--conditions=source', SCRIPT, ...args], { env: environment(), encoding: 'utf8' })
    expect(result.status).toBe(2)
    expect(result.stderr).not.toContain('    at ')
  }
})

test('runs passages and both forms of a chat through the product, and writes JSON and SVG', () => {
  const data = makeFolder()
  mkdirSync(join(data, 'tydiqa-goldp'))
  mkdirSync(join(data, 'locomo'))
  const passages = {
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
  const text = '# 2023-05-08\n\n- Ann: My canary sings. <!-- D1:1 -->\n- Bob: Granite is heavy. <!-- D1:2 -->\n'
  const query = { id: 'q0', text: 'Whose canary sings?', type: 'single-hop', gold: [{ path: 'memory/2023-05-08.md', line: 3 }] }
  const chat = { id: 'c', files: [{ path: 'memory/2023-05-08.md', text }], queries: [query, { ...query, adversarial: true }] }
  writeFileSync(join(data, 'tydiqa-goldp', 'en.json'), JSON.stringify(passages))
  writeFileSync(join(data, 'locomo', 'conv-26.json'), JSON.stringify(chat))

  const output = run(['--data', data, '--json', join(data, 'out.json'), '--svg', join(data, 'out.svg')])
  const rows = output.split('\n').map((line) => line.split(/ {2,}/).map((cell) => cell.trim()))
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
