import { randomBytes } from 'node:crypto'
import { closeSync, lstatSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { type CallOptions, WorkspaceError } from '@mnemark/spec'
import { isMissing, systemCode } from '../problems.ts'
import type { FolderHandle } from '../paths/real-place.ts'

/** The lock of a note lies beside its versions. */
const LOCK = 'editing'
/** A change takes milliseconds: the lock of another machine is left behind when it is this old. */
const FOREIGN_MS = 10_000
/** The same for a running process of this machine, which may have the number of one that was killed. */
const OWN_MS = 60_000
/** A process that was killed between making its lock and writing its name into it leaves an empty one. */
const EMPTY_MS = 1_000
const MAX_WAIT_MS = 5_000
const MIN_PAUSE_MS = 5
const MAX_PAUSE_MS = 25

export interface LockOptions extends CallOptions {
  /** Default: a timer. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** The file that is the lock, for folders that hold several. Default: `editing`. */
  readonly name?: string
}

/**
 * Runs `work` while no other process changes the same note; waits up to five seconds for one that does. The lock names host and process, so
 * that one left by a killed process of this machine ends at once.
 * @param folder where the versions of the note are kept, or another folder that is there
 * @param path what is changed, for messages
 * @throws WorkspaceError `conflict` where another process still holds it
 */
export async function whileLocked<Result>(
  folder: FolderHandle,
  path: string,
  work: () => Result,
  { signal, sleep = sleepByTimer, name = LOCK }: LockOptions = {},
): Promise<Result> {
  const lock = folder.at(name)
  const owner = `${hostname()}\n${process.pid}\n${randomBytes(6).toString('hex')}\n`
  for (let waitedMs = 0; !take(lock, owner); ) {
    signal?.throwIfAborted()
    if (endIfLeftBehind(lock)) continue
    if (waitedMs >= MAX_WAIT_MS)
      throw new WorkspaceError('conflict', `${path} is being changed by another process. Read it again.`)
    // A random length, so that waiting processes do not wake together.
    const ms = MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS)
    await sleep(ms, signal)
    waitedMs += ms
  }
  try {
    return work()
  } finally {
    if (contentOf(lock) === owner) rmSync(lock, { force: true })
  }
}

function sleepByTimer(ms: number, signal?: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal })
}

function take(lock: string, content: string): boolean {
  let descriptor: number
  try {
    descriptor = openSync(lock, 'wx', 0o600)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
  try {
    writeSync(descriptor, content)
  } finally {
    closeSync(descriptor)
  }
  // A process that was stopped before it wrote may have lost the empty lock to another.
  return contentOf(lock) === content
}

/** True where it is worth to try again at once. */
function endIfLeftBehind(lock: string): boolean {
  if (!isLeftBehind(lock)) return false
  // Held by whoever removes a lock that was left behind, so that two do not remove each other's.
  const breaking = `${lock}.breaking`
  if (!take(breaking, '')) {
    if (ageOf(breaking) <= FOREIGN_MS) return false
    rmSync(breaking, { force: true })
    return true
  }
  try {
    if (isLeftBehind(lock)) rmSync(lock, { force: true })
    return true
  } finally {
    rmSync(breaking, { force: true })
  }
}

function isLeftBehind(lock: string): boolean {
  const content = contentOf(lock)
  const [host, pid] = content?.split('\n') ?? []
  const age = ageOf(lock)
  if (content === '') return age > EMPTY_MS
  if (host !== hostname()) return age > FOREIGN_MS
  return age > OWN_MS || (age >= 0 && !isRunning(Number(pid)))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) !== 'ESRCH'
  }
}

/** In ms; below 0 for a file that is not there. The clocks of two machines may differ either way. */
function ageOf(file: string): number {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  return stats === undefined ? -1 : Math.abs(Date.now() - stats.mtimeMs)
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
