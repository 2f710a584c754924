import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, type DocumentId } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { addFile, makeFolder } from '../test/make-folder.ts'
import { ManualTimers, type Reports, watched } from '../test/watched.ts'
import type { StartWatcher, WatchHandlers } from './watching/system-watcher.ts'
import { openWorkspace } from './workspace.ts'

function refusal(code: string): Error {
  return Object.assign(new Error(`${code}: watch`), { code })
}

test.each(['EMFILE', 'ENOSPC'])(
  'B38: where the system refuses with %s there is one warning, then listings find every change',
  async (code) => {
    const root = makeFolder({ 'memory/a.md': 'one', 'memory/b.md': 'b' })
    const timers = new ManualTimers()
    const warnings: string[] = []
    let isClosed = false
    const refuseOften: StartWatcher = async (_target, handlers) => {
      for (let folder = 0; folder < 300; folder += 1) handlers.onError(refusal(code))
      return { close: async () => void (isClosed = true) }
    }
    const { reports } = await watched({
      root,
      watch: { timers, startWatcher: refuseOften, pollIntervalMs: 5_000, onRefusal: (message) => warnings.push(message) },
    })
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`${code}.*every 5 s`, 'u'))])
    expect(isClosed).toBe(true)

    writeFileSync(join(root, 'memory/a.md'), 'two')
    utimesSync(join(root, 'memory/a.md'), 1_000_000_000, 1_000_000_000)
    rmSync(join(root, 'memory/b.md'))
    addFile(root, 'memory/c.md', 'c')
    addFile(root, 'memory/x.tmp', 'x')
    timers.advance(4_999)
    expect(reports.all).toEqual([])
    timers.advance(1)
    await reports.until('memory/a.md', 'memory/b.md', 'memory/c.md')
    expect(reports.paths).toEqual(['memory/a.md', 'memory/b.md', 'memory/c.md'])
    expect(warnings).toHaveLength(1)
  },
)

test('a watcher that cannot be started at all is replaced by listings too', async () => {
  const root = makeFolder({ 'memory/a.md': 'one' })
  const timers = new ManualTimers()
  const warnings: string[] = []
  const { reports } = await watched({
    root,
    watch: {
      timers,
      startWatcher: () => Promise.reject(new Error('no such module')),
      onRefusal: (message) => warnings.push(message),
    },
  })
  addFile(root, 'memory/b.md', 'b')
  timers.advance(30_000)
  await reports.until('memory/b.md')
  expect(warnings).toHaveLength(1)
})

test('a listing that cannot see everything reports nothing as gone, and the next whole one does', async () => {
  const outer = makeFolder({ 'notes/memory/a.md': 'a', 'aside/keep': '' })
  const timers = new ManualTimers()
  const { reports, workspace } = await watched({
    root: join(outer, 'notes'),
    watch: { timers, startWatcher: () => Promise.reject(new Error('refused')) },
  })
  rmSync(join(outer, 'notes'), { recursive: true })
  timers.advance(30_000)
  await expect(async () => {
    for await (const item of workspace.source.list()) void item
  }).rejects.toMatchObject({ code: 'unreadable' })
  addFile(outer, 'notes/memory/b.md', 'b')
  timers.advance(30_000)
  await reports.until('memory/a.md', 'memory/b.md')
})

/** A workspace whose watcher the test controls. */
async function driven(
  debounceMs: number,
): Promise<{ readonly reports: Reports; readonly timers: ManualTimers; event(path: string): void; close(): Promise<void> }> {
  const root = makeFolder({ 'memory/a.md': 'a' })
  const timers = new ManualTimers()
  let handlers: WatchHandlers | undefined
  const { reports, close } = await watched({
    root,
    watch: {
      timers,
      debounceMs,
      startWatcher: async (_target, given) => {
        handlers = given
        given.onReady()
        return { close: async () => {} }
      },
    },
  })
  return { reports, timers, close, event: (path) => handlers?.onEvent(join(root, path)) }
}

const ids = (...paths: readonly string[]): readonly DocumentId[] => paths.map((path) => ({ source: 'memory', path }))

test('changes are reported together once it has been quiet for the debounce time', async () => {
  const { reports, timers, event } = await driven(1_500)
  event('memory/a.md')
  timers.advance(1_000)
  event('memory/a.md')
  event('memory/b.md')
  timers.advance(1_499)
  expect(reports.all).toEqual([])
  timers.advance(1)
  expect(reports.all).toEqual([ids('memory/a.md', 'memory/b.md')])
})

test('a note that is written without a pause is reported all the same', async () => {
  const { reports, timers, event } = await driven(1_500)
  for (let second = 0; second < 20; second += 1) {
    event('memory/a.md')
    timers.advance(1_000)
  }
  expect(reports.all).toEqual([ids('memory/a.md')])
})

test('watching does nothing while nothing changes', async () => {
  const { reports, timers } = await driven(1_500)
  expect(timers.pending).toBe(0)
  timers.advance(86_400_000)
  expect(reports.all).toEqual([])
})

test('a wait of days, as over a sleep of the machine, reports each change once', async () => {
  const { reports, timers, event } = await driven(1_500)
  event('memory/a.md')
  timers.advance(259_200_000)
  timers.advance(1_500)
  expect(reports.all).toEqual([ids('memory/a.md')])
})

test('after closing, which may be asked twice, nothing is reported', async () => {
  const { reports, timers, event, close } = await driven(1_500)
  event('memory/a.md')
  await Promise.all([close(), close()])
  await close()
  event('memory/a.md')
  timers.advance(100_000)
  expect(reports.all).toEqual([])
})

test.each([{ debounceMs: -1 }, { debounceMs: 1.5 }, { pollIntervalMs: 0 }, { pollIntervalMs: Number.NaN }])(
  'times that cannot work are refused: %j',
  async (watch) => {
    await expect(openWorkspace({ root: '.', watch })).rejects.toSatisfy(ConfigError.isInstance)
  },
)
