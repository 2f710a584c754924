import { expect, test } from 'vitest'
import { createConsole } from './console.ts'
import type { Progress } from './describe-progress.ts'
import { withProgress } from './progress.ts'
import { wrapLines } from './wrap-lines.ts'

interface Setting {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly environment?: Readonly<Record<string, string>>
  readonly isJson?: boolean
  readonly isQuiet?: boolean
}

/** The output on stderr for events that each come so many milliseconds after the last. */
async function shown(setting: Setting, events: readonly (readonly [number, Progress])[], title?: string): Promise<string> {
  const { isTTY = true, columns = 80, environment = {}, isJson = false, isQuiet = false } = setting
  let written = ''
  const write = (text: string): void => {
    written += text
  }
  const console = createConsole({
    stdout: { write },
    stderr: { isTTY, columns, write },
    isJson,
    isQuiet,
    environment,
    wrap: wrapLines,
  })
  let nowMs = 0
  await withProgress(
    console,
    async (onProgress) => {
      for (const [ms, event] of events) {
        nowMs += ms
        onProgress(event)
      }
    },
    { now: () => nowMs, ...(title === undefined ? {} : { title }) },
  )
  return written
}

const reading = (done: number, total = 600): Progress => ({ phase: 'text', done, total })
const ESCAPE = '\u001B'

test('P60: a line that changes is erased at the end, and no mode of the terminal is touched', async () => {
  const written = await shown({}, [
    [0, reading(0)],
    [500, reading(150)],
    [200, reading(300)],
  ])
  expect(written).toBe(
    `\rreading notes [#####...............] 150/600 documents, 300/s, 2 s left${ESCAPE}[K` +
      `\rreading notes [##########..........] 300/600 documents, 430/s, 1 s left${ESCAPE}[K\r${ESCAPE}[K`,
  )
  expect(written).not.toContain(`${ESCAPE}[?`)
})

test.each([
  [40, 'reading notes 150/600'],
  [60, 'reading notes 150/600 documents, 300/s, 2 s left'],
  [120, 'reading notes [#####...............] 150/600 documents, 300/s, 2 s left'],
  [10, '150/600'],
  [5, ''],
])('P60: in %d cells a part stands whole or not at all', async (columns, line) => {
  const written = await shown({ columns }, [
    [0, reading(0)],
    [500, reading(150)],
  ])
  expect(written).toBe(line === '' ? '' : `\r${line}${ESCAPE}[K\r${ESCAPE}[K`)
})

test('what is soon done shows nothing', async () => {
  expect(
    await shown(
      {},
      [
        [0, reading(0)],
        [399, reading(600)],
      ],
      'indexing notes',
    ),
  ).toBe('')
})

test.each<[string, Setting]>([
  ['a pipe', { isTTY: false }],
  ['a terminal that cannot move its cursor', { environment: { TERM: 'dumb' } }],
  ['a person who asked for it', { environment: { MNEMARK_PROGRESS: 'plain' } }],
])('plain lines without a control character, now and then: %s', async (_, setting) => {
  const written = await shown(
    setting,
    [
      [0, reading(0)],
      [1_999, reading(100)],
      [1, reading(101)],
      [9_999, reading(300)],
      [1, reading(301)],
      [10, { phase: 'vectors', done: 0, total: 900 }],
      [10_000, { phase: 'vectors', done: 900, total: 900 }],
    ],
    'indexing notes',
  )
  expect(written).toBe(
    [
      'mnemark: indexing notes',
      'mnemark: reading notes: 101 of 600 documents, 51/s, 10 s left',
      'mnemark: reading notes: 301 of 600 documents, 25/s, 12 s left',
      'mnemark: embedding: 0 of 900 texts',
      '',
    ].join('\n'),
  )
})

test.each<[string, Setting]>([
  ['--quiet', { isQuiet: true }],
  ['a program that reads JSON on a pipe', { isTTY: false, isJson: true }],
  ['MNEMARK_PROGRESS=none', { environment: { MNEMARK_PROGRESS: 'none' } }],
])('no progress at all: %s', async (_, setting) => {
  expect(
    await shown(
      setting,
      [
        [0, reading(0)],
        [60_000, reading(100)],
      ],
      'indexing notes',
    ),
  ).toBe('')
})

test('what is said meanwhile stands above the line', async () => {
  let written = ''
  const write = (text: string): void => {
    written += text
  }
  const console = createConsole({
    stdout: { write },
    stderr: { isTTY: true, columns: 80, write },
    isJson: false,
    isQuiet: false,
    environment: {},
  })
  console.showLine('reading notes 1/2')
  console.note('mnemark: news')
  console.print('answer')
  expect(written).toBe(`\rreading notes 1/2${ESCAPE}[K\r${ESCAPE}[Kmnemark: news\nanswer\n`)
})
