import { spawn } from '@lydell/node-pty'
import type { IPty } from '@lydell/node-pty'
import { onTestFinished } from 'vitest'
import { LAUNCHER } from './launcher.ts'
import type { Sandbox } from './launcher.ts'

export interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly columns?: number
  readonly rows?: number
  readonly cwd?: string
  /** The program to run instead of the command, such as a shell. */
  readonly program?: readonly [string, ...string[]]
}

/** A command in a terminal of its own, with somebody who types. */
export class TypedTerminal {
  readonly #pty: IPty
  readonly #exit: Promise<number>
  #waiting: (() => void) | null = null
  /** All that was written to the terminal, with its control sequences. */
  output = ''

  constructor(box: Sandbox, argv: readonly string[], options: TerminalOptions = {}) {
    const [file, ...given] = options.program ?? [LAUNCHER, ...argv]
    this.#pty = spawn(file, given, {
      cols: options.columns ?? 100,
      rows: options.rows ?? 30,
      cwd: options.cwd ?? box.workspace,
      env: { ...box.environment(), TERM: 'xterm-256color', ...options.env },
    })
    // As a shell says it: a command that a second Ctrl+C ends by its signal has the exit code 0 here.
    this.#exit = new Promise((resolve) => this.#pty.onExit(({ exitCode, signal }) => resolve(signal ? 128 + signal : exitCode)))
    this.#pty.onData((text) => {
      this.output += text
      this.#waiting?.()
    })
    onTestFinished(() => {
      try {
        this.#pty.kill()
      } catch {
        // It has ended, as it should.
      }
    })
  }

  type(keys: string): void {
    this.#pty.write(keys)
  }

  /** Until this was written; rejects where the command ends before. */
  async until(expected: string | RegExp): Promise<void> {
    const isThere = (): boolean => (typeof expected === 'string' ? this.output.includes(expected) : expected.test(this.output))
    while (!isThere()) {
      const written = new Promise<'written'>((resolve) => {
        this.#waiting = () => resolve('written')
      })
      const first = await Promise.race([written, this.#exit])
      if (first !== 'written' && !isThere()) throw new Error(`ended with ${first} before ${String(expected)}: ${this.output}`)
    }
  }

  /** Presses a key as an impatient person does: again with everything that appears, until the command ends. Gives its exit code. */
  async press(key: string): Promise<number> {
    for (;;) {
      this.type(key)
      const written = new Promise<'written'>((resolve) => {
        this.#waiting = () => resolve('written')
      })
      const next = await Promise.race([this.#exit, written])
      if (next !== 'written') return next
    }
  }

  /** The exit code, once the command has ended. */
  ended(): Promise<number> {
    return this.#exit
  }
}

/** Runs a command in a terminal to its end, as a person sees it. */
export async function runInTerminal(
  box: Sandbox,
  argv: readonly string[],
  options: TerminalOptions = {},
): Promise<{ readonly code: number; readonly output: string }> {
  const terminal = new TypedTerminal(box, argv, options)
  return { code: await terminal.ended(), output: terminal.output }
}
