import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ollamaWire, startProtocolServer } from '@mnemark/testkit'
import { expect, onTestFinished, test } from 'vitest'

const FOLDER = import.meta.dirname

async function run(file: string, { cwd = FOLDER, more = [] as readonly string[] } = {}): Promise<string> {
  const commandLine = ['--conditions=mnemark-source', '--no-warnings', join(FOLDER, file), ...more]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, commandLine, { cwd })
  expect(stderr).toBe('')
  return stdout
}

/** The names between the braces of its imports, and its lines of code. */
function sizeOf(file: string): { readonly names: number; readonly lines: number } {
  const source = readFileSync(join(FOLDER, file), 'utf8')
  const imports = [...source.matchAll(/^import (?:type )?\{([^}]*)\} from/gm)]
  const names = imports.flatMap(([, list = '']) => list.split(',').filter((name) => name.trim() !== ''))
  return { names: names.length, lines: source.split('\n').filter((line) => line.trim() !== '').length }
}

test('P83: the programs before and after answer alike', async () => {
  const answer = 'home.md#L1-L1 The printer is in VLAN 10.\ntrip.md#L1-L1 东京的会议改到星期五。\n'
  expect([await run('before.ts'), await run('after.ts')]).toEqual([answer, answer])
})

test('P83: the one after imports three names, and the README says how many each has', () => {
  const [before, after] = [sizeOf('before.ts'), sizeOf('after.ts')]
  expect(after.names).toBeLessThanOrEqual(3)
  const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8')
  expect(readme).toContain(`| [before.ts](before.ts) | ${before.names} | ${before.lines} |`)
  expect(readme).toContain(`| [after.ts](after.ts) | ${after.names} | ${after.lines} |`)
})

test('with a folder, a file for the index and a provider it is one call too', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'mnemark-composition-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  mkdirSync(join(cwd, 'notes'))
  writeFileSync(join(cwd, 'notes/home.md'), 'The printer is in VLAN 10.\n')
  await using server = await startProtocolServer(ollamaWire)
  expect(await run('with-embeddings.ts', { cwd, more: [server.baseUrl] })).toBe('home.md#L1-L1 hybrid ollama\n')
})

test('the README of core shows the program with embeddings as it is', () => {
  const readme = readFileSync(join(FOLDER, '../../packages/core/README.md'), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(join(FOLDER, 'with-embeddings.ts'), 'utf8')}\`\`\``)
})
