import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../test/make-folder.ts'
import { whileLocked } from './note-lock.ts'
import { openFolderBelow, type FolderHandle } from '../paths/real-place.ts'

function lockFolder(content?: string): { readonly folder: FolderHandle; readonly lock: string; readonly path: string } {
  const path = makeFolder()
  const folder = openFolderBelow(path, [])
  onTestFinished(() => folder[Symbol.dispose]())
  const lock = join(path, 'editing')
  if (content !== undefined) writeFileSync(lock, content)
  return { folder, lock, path }
}

/** A process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['--version']).pid
}

const never = (): never => expect.unreachable()

test('it names host and process while it lasts, and is gone after, also after a failure', async () => {
  const { folder, lock, path } = lockFolder()
  const held = await whileLocked(folder, 'a.md', () => readFileSync(lock, 'utf8'))
  expect(held.split('\n').slice(0, 2)).toEqual([hostname(), String(process.pid)])
  const failing = whileLocked(folder, 'a.md', () => {
    throw new TypeError('no')
  })
  await expect(failing).rejects.toBeInstanceOf(TypeError)
  expect(readdirSync(path)).toEqual([])
})

test('one waits for another, five seconds at most', async () => {
  const { folder, lock } = lockFolder(`${hostname()}\n${process.pid}\nother\n`)
  let waitedMs = 0
  const sleep = async (ms: number): Promise<void> => void (waitedMs += ms)
  await expect(whileLocked(folder, 'a.md', never, { sleep })).rejects.toMatchObject({ code: 'conflict' })
  expect(waitedMs).toBeGreaterThanOrEqual(5_000)
  expect(readFileSync(lock, 'utf8')).toContain('other')
})

test('an ended signal ends the waiting', async () => {
  const { folder } = lockFolder(`${hostname()}\n${process.pid}\nother\n`)
  const [ending, reason] = [new AbortController(), new Error('enough')]
  const sleep = async (): Promise<void> => ending.abort(reason)
  await expect(whileLocked(folder, 'a.md', never, { signal: ending.signal, sleep })).rejects.toBe(reason)
})

test('the lock of a killed process of this machine ends at once', async () => {
  const { folder, path } = lockFolder(`${hostname()}\n${deadPid()}\nother\n`)
  expect(await whileLocked(folder, 'a.md', () => 'done', { sleep: never })).toBe('done')
  expect(readdirSync(path)).toEqual([])
})

test('the lock of a process that was killed before it wrote its name ends after a second', async () => {
  const { folder, lock, path } = lockFolder('')
  const secondsAgo = (seconds: number): void => utimesSync(lock, 1, Date.now() / 1_000 - seconds)
  secondsAgo(0)
  let waits = 0
  const sleep = async (): Promise<void> => {
    waits += 1
    secondsAgo(2)
  }
  expect(await whileLocked(folder, 'a.md', () => 'done', { sleep })).toBe('done')
  expect([waits, readdirSync(path)]).toEqual([1, []])
})

test.each([['another machine', `elsewhere\n1\nother\n`]])('the lock of %s ends by age alone', async (_case, content) => {
  const { folder, lock } = lockFolder(content)
  const sleep = async (): Promise<void> => {
    expect(existsSync(lock)).toBe(true)
    utimesSync(lock, 1, 1)
  }
  expect(await whileLocked(folder, 'a.md', () => 'done', { sleep })).toBe('done')
})

test('whoever removes a lock that was left behind is waited for, unless it was killed', async () => {
  const { folder, path } = lockFolder(`${hostname()}\n${deadPid()}\nother\n`)
  const breaking = join(path, 'editing.breaking')
  writeFileSync(breaking, '')
  const sleep = async (): Promise<void> => utimesSync(breaking, 1, 1)
  expect(await whileLocked(folder, 'a.md', () => 'done', { sleep })).toBe('done')
  expect(readdirSync(path)).toEqual([])
})
