import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findQmd } from './speed/qmd.ts'
import { runNode } from './speed/run-process.ts'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-bench-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('unknown sizes and scripts, and a qmd that is not there, are bad use', () => {
  for (const args of [
    ['--sizes', '1k,2k'],
    ['--scripts', 'en,xx'],
    ['--qmd', '/nowhere'],
  ]) {
    const script = join(import.meta.dirname, 'speed.ts')
    const result = spawnSync(process.execPath, ['--conditions=mnemark-source', script, ...args], { encoding: 'utf8' })
    expect(result.status).toBe(2)
    expect(result.stderr).toContain(args[0])
  }
})

test('qmd is found in a folder and on the PATH, and another program of that name is not taken for it', () => {
  const folder = makeFolder()
  for (const name of ['real', 'other']) {
    for (const part of ['bin', 'dist/cli']) mkdirSync(join(folder, name, part), { recursive: true })
    for (const file of ['bin/qmd', 'dist/cli/qmd.js']) writeFileSync(join(folder, name, file), '')
  }
  writeFileSync(join(folder, 'real/package.json'), JSON.stringify({ name: '@tobilu/qmd', version: '2.8.3' }))
  writeFileSync(join(folder, 'other/package.json'), JSON.stringify({ name: 'qmd', version: '1.0.0' }))
  const found = { version: '2.8.3', script: expect.stringMatching(/real.dist.cli.qmd\.js$/) }
  expect(findQmd(join(folder, 'real'), undefined)).toEqual(found)
  expect(findQmd(undefined, `${join(folder, 'other/bin')}:${join(folder, 'real/bin')}`)).toEqual(found)
  expect(findQmd(undefined, join(folder, 'other/bin'))).toBeUndefined()
})

test('a process reports its CPU time, peak memory and exit code', async () => {
  const busy = 'let x = 1; const end = Date.now() + 200; while (Date.now() < end) x = Math.imul(x, 3); process.exitCode = 3'
  const [idle, working] = [await runNode(['-e', '0']), await runNode(['-e', busy])]
  expect([idle.exitCode, working.exitCode]).toEqual([0, 3])
  expect(working.cpuMs).toBeGreaterThan(idle.cpuMs)
  expect(idle.peakRssBytes).toBeGreaterThan(10_000_000)
  const late = await runNode(['-e', 'setInterval(() => {}, 1000)'], { timeoutMs: 300 })
  expect(late.isTimedOut).toBe(true)
})
