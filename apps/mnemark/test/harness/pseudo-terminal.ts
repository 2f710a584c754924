import { spawn } from '@lydell/node-pty'
import type { IPty } from '@lydell/node-pty'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { Terminal } from '@xterm/headless'
import { onTestFinished } from 'vitest'
import { LAUNCHER } from './launcher.ts'
import type { Sandbox } from './launcher.ts'

/** Set before and printed after the command by the shell that runs it. */
const MARK = '@@'

export interface Ended {
  /** All that came, escape sequences included. */
  readonly output: string
  /** The output of the command alone. */
  readonly printed: string
  /** The exit code as a shell reports it: 130 after Ctrl+C. */
  readonly code: number
  /** The terminal's modes as `stty -g` prints them. */
  readonly before: string
  readonly after: string
}

export interface TerminalOptions {
  readonly columns?: number
  readonly environment?: Readonly<Record<string, string>>
}

/** The real launcher in a real terminal: a shell on a pseudo-terminal runs it, and reads the modes before and after it. */
export class PseudoTerminal {
  readonly #pty: IPty
  readonly #listeners = new Set<() => void>()
  #output = ''
  readonly #ended = Promise.withResolvers<void>()

  constructor(box: Sandbox, argv: readonly string[], { columns = 80, environment = {} }: TerminalOptions = {}) {
    // The trap keeps the shell alive after Ctrl+C; the command has the usual answer to it.
    const command = `sh -c 'printf %s${MARK} $$; exec "$0" "$@"' "$0" "$@"`
    const script = `trap : INT; printf '${MARK}%s${MARK}' "$(stty -g)"; ${command}; printf '${MARK}%s${MARK}%s${MARK}' "$?" "$(stty -g)"`
    this.#pty = spawn('/bin/sh', ['-c', script, LAUNCHER, ...argv], {
      cols: columns,
      rows: 40,
      cwd: box.workspace,
      // Nobody leaves a pager here.
      env: { ...box.environment(), TERM: 'xterm-256color', PAGER: '', ...environment },
    })
    this.#pty.onData((data) => {
      this.#output += data
      for (const listener of this.#listeners) listener()
    })
    this.#pty.onExit(() => this.#ended.resolve())
    onTestFinished(() => {
      this.#pty.kill('SIGKILL')
    })
  }

  /** Resolves when what was printed so far, or the end, satisfies it. */
  async until(isThere: (output: string) => boolean): Promise<void> {
    const seen = Promise.withResolvers<void>()
    const look = (): void => {
      if (isThere(this.#output)) seen.resolve()
    }
    this.#listeners.add(look)
    look()
    await Promise.race([seen.promise, this.#ended.promise])
    this.#listeners.delete(look)
  }

  type(text: string): void {
    this.#pty.write(text)
  }

  /** Sends the command a signal, as another program would. */
  kill(signal: NodeJS.Signals): void {
    const [, , pid] = this.#output.split(MARK)
    process.kill(Number(pid), signal)
  }

  async ended(): Promise<Ended> {
    await this.#ended.promise
    const [, before = '', , printed = '', code = '', after = ''] = this.#output.split(MARK)
    return { output: this.#output, printed, code: Number(code), before, after }
  }
}

export interface Screen {
  readonly lines: readonly { readonly text: string; readonly isWrapped: boolean }[]
  readonly isWrapping: boolean
  readonly isCursorHidden: boolean
}

/** The screen of a terminal after this output, and the modes it is left in. */
export async function replay(output: string, columns: number): Promise<Screen> {
  const terminal = new Terminal({ cols: columns, rows: 40, scrollback: 5_000, allowProposedApi: true })
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  await new Promise<void>((resolve) => terminal.write(output, resolve))
  const { active } = terminal.buffer
  const lines = Array.from({ length: active.length }, (_, at) => {
    const line = active.getLine(at)
    return { text: line?.translateToString(true) ?? '', isWrapped: line?.isWrapped ?? false }
  })
  const hides = output.lastIndexOf('\u001B[?25l')
  const screen = {
    lines,
    isWrapping: terminal.modes.wraparoundMode,
    isCursorHidden: hides > output.lastIndexOf('\u001B[?25h'),
  }
  terminal.dispose()
  return screen
}
