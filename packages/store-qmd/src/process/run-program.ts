import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { supervise } from './supervise.ts'

export interface ProgramRun {
  /** Absolute path of an executable; never looked up, never given to a shell. */
  readonly program: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly folder: string
  /** After this many ms the program and everything it started are ended. */
  readonly timeoutMs: number
  /** More output than this ends them too; of the error output the last 16 KiB are kept. */
  readonly maxOutputBytes: number
  readonly signal?: AbortSignal | undefined
}
export interface ProgramEnding {
  /** `failed`: it never ran, `problem` is the system's code. `lost`: something outside ended it together with its watcher. */
  readonly ended: 'exited' | 'failed' | 'timeout' | 'too-much-output' | 'lost'
  readonly code: number | null
  readonly killedBy: string | null
  readonly problem: string | null
  readonly output: string
  /** May hold text of notes or of the query: for recognising problems, not for display. */
  readonly errorOutput: string
}

const MAX_ERROR_BYTES = 16_384
/** Some compilers wrap functions in a helper to keep their names; here the helper would be missing. */
const WATCHER = `const __name = (value) => value;(${supervise.toString()})()`

/**
 * Runs a program under a watcher that ends its process group when it ends, at the time-out, when `signal` aborts, and
 * when this process ends, killed or not. Rejects only with the reason of `signal`.
 */
export async function runProgram(run: ProgramRun): Promise<ProgramEnding> {
  run.signal?.throwIfAborted()
  const watcher = spawn(process.execPath, ['-e', WATCHER, '--', run.program, ...run.args], {
    cwd: run.folder,
    env: run.environment,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    // Uses a new process group, led by the watcher. On Windows that would open a window, and the watcher ends the tree instead.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  const [, outputPipe, errorPipe, endingPipe] = watcher.stdio
  const output = new Collected(run.maxOutputBytes)
  const errorOutput = new Collected(MAX_ERROR_BYTES)
  const ending = new Collected(1_024)
  const stopped = Promise.withResolvers<'timeout' | 'too-much-output' | 'aborted'>()
  output.read(outputPipe, () => stopped.resolve('too-much-output'))
  errorOutput.read(errorPipe, () => {})
  ending.read(endingPipe, () => {})
  // The watcher may be gone before it is written to; the error does not matter.
  watcher.stdin?.on('error', () => {})
  // The watcher ends its group as its last act; if it was killed, this does it, or its children would hold the pipes open.
  const exited = new Promise<void>((resolve) => watcher.once('exit', () => resolve(endGroup(watcher))))
  let startProblem: string | null = null
  const closed = new Promise<'closed'>((resolve) => {
    watcher.once('close', () => resolve('closed'))
    watcher.once('error', (error) => {
      startProblem = 'code' in error ? String(error.code) : 'unknown'
      resolve('closed')
    })
  })
  const timer = setTimeout(() => stopped.resolve('timeout'), run.timeoutMs)
  const abort = (): void => stopped.resolve('aborted')
  run.signal?.addEventListener('abort', abort, { once: true })
  try {
    const how = await Promise.race([closed, stopped.promise])
    const told = startProblem === null ? readEnding(ending.text()) : { code: null, signal: null, problem: startProblem }
    if (how !== 'closed') {
      endGroup(watcher)
      await Promise.race([closed, exited])
    }
    if (how === 'aborted') throw run.signal?.reason
    return {
      // A program that has ended has answered, even if a child still holds its output open.
      ended:
        told !== null && how !== 'too-much-output'
          ? told.problem === null
            ? 'exited'
            : 'failed'
          : how === 'closed'
            ? 'lost'
            : how,
      code: told?.code ?? null,
      killedBy: told?.signal ?? null,
      problem: told?.problem ?? null,
      output: output.text(),
      errorOutput: errorOutput.text(),
    }
  } finally {
    clearTimeout(timer)
    run.signal?.removeEventListener('abort', abort)
    for (const pipe of watcher.stdio) pipe?.destroy()
  }
}

/** Closing its input makes the watcher end the tree; where there are process groups, they are ended from here as well. */
function endGroup(watcher: ChildProcess): void {
  watcher.stdin?.destroy()
  if (process.platform === 'win32' || watcher.pid === undefined) return
  try {
    process.kill(-watcher.pid, 'SIGKILL')
  } catch {
    // The group is empty.
  }
}

interface ToldEnding {
  readonly code: number | null
  readonly signal: string | null
  readonly problem: string | null
}

function readEnding(text: string): ToldEnding | null {
  try {
    const { code = null, signal = null, problem = null } = JSON.parse(text)
    return { code, signal, problem }
  } catch {
    return null
  }
}

/** The last bytes of a stream, up to a limit. */
class Collected {
  readonly #chunks: Buffer[] = []
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  read(pipe: ChildProcess['stdio'][number] | undefined, onTooMuch: () => void): void {
    const readable = pipe as Readable | null | undefined // all four are pipes, those but the first to read from
    readable?.on('error', () => {})
    readable?.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk)
      this.#bytes += chunk.length
      if (this.#bytes <= this.#maxBytes) return
      onTooMuch()
      for (let first = this.#chunks[0]; first && this.#bytes - first.length >= this.#maxBytes; first = this.#chunks[0]) {
        this.#chunks.shift()
        this.#bytes -= first.length
      }
    })
  }

  text(): string {
    return Buffer.concat(this.#chunks).subarray(-this.#maxBytes).toString('utf8')
  }
}
