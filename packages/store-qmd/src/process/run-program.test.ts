import { spawn } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type ProgramRun, runProgram } from './run-program.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'qmd-run-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

function running(code: string, more: Partial<ProgramRun> = {}): ProgramRun {
  return {
    program: process.execPath,
    args: ['-e', code],
    environment: process.env,
    folder: tmpdir(),
    timeoutMs: 20_000,
    maxOutputBytes: 1_000_000,
    ...more,
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

async function pidIn(file: string): Promise<number> {
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toMatch(/^\d+\n/)
  return Number(readFileSync(file, 'utf8'))
}

async function expectGone(...pids: readonly number[]): Promise<void> {
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
}

/** Prints its process id and that of a child, and keeps running. */
function staying(place: string): string {
  return `
    const fs = require('node:fs')
    const left = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    fs.writeFileSync(${JSON.stringify(join(place, 'child'))}, left.pid + '\\n')
    fs.writeFileSync(${JSON.stringify(join(place, 'program'))}, process.pid + '\\n')
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 1000)`
}

describe('a program that ends', () => {
  test('its output, its error output and its code come back', async () => {
    const ending = await runProgram(running(`console.log('out'); console.error('problem'); process.exitCode = 3`))
    expect(ending).toEqual({
      ended: 'exited',
      code: 3,
      killedBy: null,
      problem: null,
      output: 'out\n',
      errorOutput: 'problem\n',
    })
  })

  test('a crash is told with its signal, after the output', async () => {
    const ending = await runProgram(running(`require('node:fs').writeSync(1, 'good'); process.kill(process.pid, 'SIGABRT')`))
    expect(ending).toMatchObject({ ended: 'exited', code: null, killedBy: 'SIGABRT', output: 'good' })
  })

  test('arguments arrive as they are, also what a shell would read', async () => {
    const args = ['a & del b', '$(id)', '`id`', '"; ls', '%PATH%', '--help', '', 'two\nlines', '文']
    const ending = await runProgram(
      running('', { args: ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...args] }),
    )
    expect(JSON.parse(ending.output)).toEqual(args)
  })

  test('output larger than a pipe arrives whole', async () => {
    const ending = await runProgram(running(`process.stdout.write('x'.repeat(700_000))`))
    expect(ending.output).toHaveLength(700_000)
  })

  test('what it left behind is ended with it', async () => {
    const place = folder()
    const code = `
      const left = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
      require('node:fs').writeFileSync(${JSON.stringify(join(place, 'child'))}, left.pid + '\\n')
      console.log('done')
      process.exit(0)`
    expect(await runProgram(running(code))).toMatchObject({ ended: 'exited', code: 0, output: 'done\n' })
    await expectGone(await pidIn(join(place, 'child')))
  })
})

test('a program that cannot be started is told with the code of the system', async () => {
  const place = folder()
  expect(await runProgram(running('', { program: join(place, 'qmd') }))).toMatchObject({ ended: 'failed', problem: 'ENOENT' })
  writeFileSync(join(place, 'qmd'), 'not a program', { mode: 0o644 })
  expect(await runProgram(running('', { program: join(place, 'qmd') }))).toMatchObject({ ended: 'failed', problem: 'EACCES' })
})

describe('nothing stays', () => {
  test('after a time-out', async () => {
    const place = folder()
    const run = runProgram(running(staying(place), { timeoutMs: 1_500 }))
    const pids = [await pidIn(join(place, 'program')), await pidIn(join(place, 'child'))]
    expect(await run).toMatchObject({ ended: 'timeout', code: null })
    await expectGone(...pids)
  })

  test('after an abort, which rejects with its reason', async () => {
    const place = folder()
    const stopping = new AbortController()
    const run = runProgram(running(staying(place), { signal: stopping.signal }))
    const pids = [await pidIn(join(place, 'program')), await pidIn(join(place, 'child'))]
    const reason = new Error('enough')
    stopping.abort(reason)
    await expect(run).rejects.toBe(reason)
    await expectGone(...pids)
  })

  test('of one that prints without end; what was printed is bounded', async () => {
    const place = folder()
    const code = `require('node:fs').writeFileSync(${JSON.stringify(join(place, 'program'))}, process.pid + '\\n')
      const print = () => { while (process.stdout.write('x'.repeat(65_536))); process.stdout.once('drain', print) }
      print()`
    const ending = await runProgram(running(code, { maxOutputBytes: 100_000 }))
    expect(ending.ended).toBe('too-much-output')
    expect(ending.output.length).toBeLessThanOrEqual(100_000)
    await expectGone(await pidIn(join(place, 'program')))
  })

  test('error output is bounded to its end, and does not stop the program', async () => {
    const ending = await runProgram(running(`process.stderr.write('y'.repeat(300_000) + 'end'); console.log('fine')`))
    expect(ending).toMatchObject({ ended: 'exited', code: 0, output: 'fine\n' })
    expect(ending.errorOutput).toMatch(/^y{16381}end$/)
  })

  test('when its watcher is killed', async () => {
    const place = folder()
    const run = runProgram(running(staying(place)))
    const pids = [await pidIn(join(place, 'program')), await pidIn(join(place, 'child'))]
    const watcher = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pids[0]}/status`, 'utf8'))?.[1])
    process.kill(watcher, 'SIGKILL')
    expect(await run).toMatchObject({ ended: 'lost' })
    await expectGone(...pids)
  })

  test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('when our own process ends by %s', async (signal) => {
    const place = folder()
    const module = JSON.stringify(new URL('./run-program.ts', import.meta.url).href)
    const code = `
      const { runProgram } = await import(${module})
      await runProgram({ program: process.execPath, args: ['-e', ${JSON.stringify(staying(place))}], environment: process.env,
        folder: ${JSON.stringify(place)}, timeoutMs: 60_000, maxOutputBytes: 1_000 })`
    const ours = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' })
    onTestFinished(() => void ours.kill('SIGKILL'))
    const pids = [await pidIn(join(place, 'program')), await pidIn(join(place, 'child'))]
    expect(pids.filter(isAlive)).toEqual(pids)
    ours.kill(signal)
    await expectGone(...pids)
  })

  test('when our own process is killed at any moment of the start', async () => {
    const place = folder()
    const module = JSON.stringify(new URL('./run-program.ts', import.meta.url).href)
    const mark = `qmd-orphan-${process.pid}`
    for (const turns of [0, 10, 100, 1_000, 5_000, 20_000]) {
      const code = `
        const { runProgram } = await import(${module})
        const run = runProgram({ program: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)', ${JSON.stringify(mark)}],
          environment: process.env, folder: ${JSON.stringify(place)}, timeoutMs: 60_000, maxOutputBytes: 1_000 })
        console.log('started')
        await run`
      const ours = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'ignore'] })
      await new Promise((resolve) => ours.stdout.once('data', resolve))
      for (let turn = 0; turn < turns; turn += 1) await nextTurn()
      ours.kill('SIGKILL')
    }
    await expect.poll(() => processesWith(mark)).toEqual([])
  })
})

function processesWith(mark: string): readonly number[] {
  const { readdirSync } = process.getBuiltinModule('node:fs')
  const numbers = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
  return numbers.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(mark) && isAlive(pid)
    } catch {
      return false
    }
  })
}

test('no listener stays on the signal', async () => {
  const stopping = new AbortController()
  await runProgram(running('', { signal: stopping.signal }))
  expect(getEventListeners(stopping.signal, 'abort')).toHaveLength(0)
})
