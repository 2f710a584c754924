import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createConsole } from './console.ts'

interface Terminal {
  readonly environment?: Readonly<Record<string, string>>
  readonly isJson?: boolean
  readonly isQuiet?: boolean
  readonly isInTTY?: boolean
  readonly isErrorTTY?: boolean
}

function open({ environment = {}, isJson = false, isQuiet = false, isInTTY = true, isErrorTTY = true }: Terminal = {}) {
  // Safe: the console reads lines from it and looks at isTTY.
  const stdin = Object.assign(new PassThrough(), { isTTY: isInTTY }) as unknown as NodeJS.ReadStream
  const said: string[] = []
  const waits: { readonly ms: number; readonly callback: () => void }[] = []
  const console = createConsole({
    stdout: { write: () => true },
    stderr: { isTTY: isErrorTTY, write: (text) => said.push(text) },
    stdin,
    isJson,
    isQuiet,
    environment,
    after: (ms, callback) => {
      waits.push({ ms, callback })
      return () => {}
    },
  })
  return { console, stdin: stdin as unknown as PassThrough, said, waits }
}

test('P47: a person is asked only at two terminals, without --json, --quiet and CI', async () => {
  expect(open().console.canAsk).toBe(true)
  const nobody: readonly Terminal[] = [
    { isInTTY: false },
    { isErrorTTY: false },
    { isJson: true },
    { isQuiet: true },
    { environment: { CI: 'true' } },
    { environment: { CI: '1' } },
  ]
  for (const terminal of nobody) {
    const { console, said } = open(terminal)
    expect(console.canAsk).toBe(false)
    expect(await console.ask('Sure? ')).toBeNull()
    expect(said).toEqual([])
  }
  for (const CI of ['', '0', 'false']) expect(open({ environment: { CI } }).console.canAsk).toBe(true)
})

test('P47: an answer is a line; none within 30 seconds, or an end of input, is nobody', async () => {
  const answered = open()
  const answer = answered.console.ask('Sure? [y/N] ')
  answered.stdin.write('  yes \n')
  expect(await answer).toBe('yes')

  const silent = open()
  const nothing = silent.console.ask('Sure? [y/N] ')
  while (silent.waits.length === 0) await Promise.resolve()
  expect(silent.waits[0]?.ms).toBe(30_000)
  silent.waits[0]?.callback()
  expect(await nothing).toBeNull()
  expect(silent.said.join('')).toContain('taken for no')

  const ended = open()
  const end = ended.console.ask('Sure? [y/N] ')
  ended.stdin.end()
  expect(await end).toBeNull()
})

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
  [{ TERM: 'dumb' }, true, false],
  [{ TERM: 'dumb', FORCE_COLOR: '1' }, true, true],
])('colour with %j on a terminal or not (%s): %s', (environment, isTTY, hasColour) => {
  const open = (isJson: boolean) =>
    createConsole({ stdout: { isTTY, write: () => true }, stderr: { write: () => true }, isJson, isQuiet: false, environment })
  expect([open(false).hasColour, open(true).hasColour]).toEqual([hasColour, false])
})

test.each([
  [{ isTTY: true, columns: 40 }, 40],
  [{ isTTY: true, columns: 0 }, 80],
  [{ isTTY: true }, 80],
  [{ isTTY: false, columns: 40 }, null],
])('lines of %j have %s cells', (output, columns) => {
  const stream = { ...output, write: () => true }
  const console = createConsole({ stdout: stream, stderr: stream, isJson: false, isQuiet: false, environment: {} })
  expect([console.columns, console.progressColumns]).toEqual([columns, columns])
})
