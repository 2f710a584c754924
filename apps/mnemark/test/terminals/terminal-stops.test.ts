import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { nameProvider } from '../providers/named-provider.ts'
import { PseudoTerminal, replay } from '../harness/pseudo-terminal.ts'
import type { Ended, TerminalOptions } from '../harness/pseudo-terminal.ts'

// Ctrl+C in a real terminal: the terminal is as it was before, and what is kept is what was said.

const CTRL_C = '\u0003'
const BODY = 'The lamp of velvet stands beside the marble table, and nobody knows who lit it. '.repeat(60)

function manyNotes(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`memory/n${at}.md`, `# Note ${at}\n\n${BODY}\n`]))
}

const drawings = (count: number) => (output: string) => output.split('reading notes [').length > count
const shows = (text: string) => (output: string) => output.includes(text)

/** So many that no machine reads them before a key arrives, and too few to be asked about. */
const MANY = 1_900

async function stopAt(
  box: Sandbox,
  argv: readonly string[],
  moments: readonly ((output: string) => boolean)[],
  options: TerminalOptions = {},
): Promise<Ended> {
  const terminal = new PseudoTerminal(box, argv, options)
  for (const moment of moments) {
    await terminal.until(moment)
    terminal.type(CTRL_C)
  }
  return terminal.ended()
}

async function expectTerminalAsBefore(ended: Ended): Promise<void> {
  expect(ended.before).not.toBe('')
  expect(ended.after).toBe(ended.before)
  expect(ended.output).not.toContain('\u001B[?')
  const { isWrapping, isCursorHidden, lines } = await replay(`${ended.printed}$ `, 80)
  expect({ isWrapping, isCursorHidden }).toEqual({ isWrapping: true, isCursorHidden: false })
  // Nothing of a drawn line is left before the prompt.
  expect(lines.findLast(({ text }) => text !== '')?.text).not.toMatch(/\d+\/\d+/)
}

interface Kept {
  readonly documents: number
  readonly missingVectors: number
}

/** The content of the index, opened anew. */
async function kept(box: Sandbox): Promise<Kept> {
  const path = join(box.workspace, '.mnemark/main.sqlite')
  if (!existsSync(path)) return { documents: 0, missingVectors: 0 }
  const store = await openSqliteStore({ path })
  try {
    expect((await store.check()).isHealthy).toBe(true)
    const snapshot = await store.snapshot()
    const { documents } = await snapshot.counts()
    const missingVectors = (await snapshot.spaces()).reduce((sum, { missing }) => sum + missing, 0)
    snapshot.release()
    return { documents, missingVectors }
  } finally {
    await store.close()
  }
}

async function expectSaid({ printed, code }: Ended, box: Sandbox, notes: number, signal = 130): Promise<Kept> {
  const found = await kept(box)
  expect(code).toBe(signal)
  expect(printed).toContain(`mnemark: stopped: ${found.documents} of ${notes} notes are indexed and kept`)
  const rest = notes - found.documents
  expect(printed).toContain(rest === 0 ? 'kept' : `The next run goes on with the other ${rest}.`)
  return found
}

test('P60, P61: Ctrl+C while notes are read, at six moments; the next run reads the rest', async () => {
  const notes = MANY
  const box = new Sandbox(manyNotes(notes))
  const moments = [shows('first index of'), shows('indexing'), ...[1, 2, 3, 4].map(drawings)]
  let partial: Kept = { documents: 0, missingVectors: 0 }
  let saidAny = 0
  for (const moment of moments) {
    rmSync(join(box.workspace, '.mnemark'), { recursive: true, force: true })
    const ended = await stopAt(box, ['index'], [moment])
    await expectTerminalAsBefore(ended)
    // Before the first note is read there is nothing to keep, and nothing to say.
    if (ended.printed.includes('indexing')) {
      partial = await expectSaid(ended, box, notes)
      saidAny += 1
    }
  }
  expect(saidAny).toBeGreaterThanOrEqual(5)
  expect(partial.documents).toBeGreaterThan(0)
  expect(box.json(['status', '--quiet']).document.degraded).toMatchObject([
    { message: `${notes - partial.documents} of ${notes} notes are not indexed yet; the next sync reads what is missing.` },
  ])
  expect(box.json(['index']).document.documents).toMatchObject({
    indexed: notes - partial.documents,
    unchanged: partial.documents,
  })
})

test('P60, P61: other commands that index, and other moments', async () => {
  const notes = MANY
  const box = new Sandbox(manyNotes(notes))
  const cases: readonly (readonly [readonly string[], readonly ((output: string) => boolean)[]])[] = [
    [['search', 'lamp'], [drawings(1)]],
    [['search', 'lamp'], [drawings(3)]],
    [['export', '--out', 'all.jsonl'], [drawings(2)]],
    [['eval'], [drawings(2)]],
    [['search', 'lamp'], [shows('Ctrl+C stops it')]],
  ]
  for (const [argv, moments] of cases) {
    rmSync(join(box.workspace, '.mnemark'), { recursive: true, force: true })
    const ended = await stopAt(box, argv, moments)
    await expectTerminalAsBefore(ended)
    await expectSaid(ended, box, notes)
  }
  expect(existsSync(join(box.workspace, 'all.jsonl'))).toBe(false)

  // A second one ends at once, and the index is whole all the same.
  rmSync(join(box.workspace, '.mnemark'), { recursive: true, force: true })
  const twice = await stopAt(box, ['index'], [drawings(3), shows('stopping after')])
  await expectTerminalAsBefore(twice)
  expect(twice.code).toBe(130)
  await kept(box)

  rmSync(join(box.workspace, '.mnemark'), { recursive: true, force: true })
  const watched = await stopAt(box, ['watch'], [shows('watching')])
  await expectTerminalAsBefore(watched)
  await expectSaid(watched, box, notes, 0)
})

test('P60, P61: a termination signal, a crash, the end of the work, and a terminal that cannot move its cursor', async () => {
  const notes = MANY
  const box = new Sandbox(manyNotes(notes))
  const killed = async (signal: NodeJS.Signals): Promise<Ended> => {
    rmSync(join(box.workspace, '.mnemark'), { recursive: true, force: true })
    const terminal = new PseudoTerminal(box, ['index'])
    await terminal.until(drawings(2))
    terminal.kill(signal)
    return terminal.ended()
  }
  const terminated = await killed('SIGTERM')
  await expectTerminalAsBefore(terminated)
  await expectSaid(terminated, box, notes, 143)

  // Nothing can be said or drawn any more, and no mode was changed that would have to be put back.
  const crashed = await killed('SIGKILL')
  expect([crashed.code, crashed.after]).toEqual([137, crashed.before])
  expect(crashed.output).not.toContain('\u001B[?')
  await kept(box)

  const whole = await new PseudoTerminal(box, ['index']).ended()
  await expectTerminalAsBefore(whole)
  expect([whole.code, (await kept(box)).documents]).toEqual([0, notes])

  const plain = await new PseudoTerminal(box, ['index', '--force'], { environment: { TERM: 'dumb' } }).ended()
  expect(plain.code).toBe(0)
  expect(plain.printed).not.toContain('\u001B')
})

test('P60, P61: Ctrl+C while texts are embedded keeps what was paid for', async () => {
  const notes = 400
  const box = new Sandbox(manyNotes(notes))
  await using provider = await nameProvider(box)
  const { promise: isHeard, resolve: answer } = Promise.withResolvers<void>()
  provider.server.behave({ after: isHeard })
  const terminal = new PseudoTerminal(box, ['index', '--yes'], { environment: provider.environment })
  await provider.server.arrival()
  terminal.type(CTRL_C)
  await terminal.until(shows('stopping after'))
  answer()
  const ended = await terminal.ended()
  await expectTerminalAsBefore(ended)
  const { missingVectors } = await expectSaid(ended, box, notes)
  expect(ended.printed).toContain(
    missingVectors === 0
      ? 'Nothing is left to be done.'
      : `The next run embeds the ${missingVectors} texts that have no vector yet.`,
  )
  await provider.run('index')
  const sent = provider.server.calls.flatMap(({ texts }) => texts)
  expect(sent).toHaveLength(new Set(sent).size)
})

test('P60: Ctrl+C at a question leaves the terminal as it was', async () => {
  const box = new Sandbox({ 'a.md': 'lamp\n' })
  box.write('mnemark.json5', JSON.stringify({ agents: { defaults: { memorySearch: { extraPaths: ['/etc'] } } } }))
  const ended = await stopAt(box, ['trust'], [shows('[y/N]')])
  await expectTerminalAsBefore(ended)
  expect(ended.code).toBe(130)
})
