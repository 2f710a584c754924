import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { LAUNCHER, type Sandbox } from './launcher.ts'

/** Long enough for any machine; a test that waits this long has failed. */
const OVERALL_MS = 300_000

export type WatchEvent = Readonly<Record<string, unknown>>

/** A running `mnemark watch --json` and the events it has printed. */
export class WatchProcess {
  readonly #child: ChildProcess
  readonly #events: WatchEvent[] = []
  readonly #exited: Promise<number | null>
  #check: () => void = () => {}

  constructor(box: Sandbox, options: readonly string[] = []) {
    this.#child = spawn(LAUNCHER, ['watch', '--json', ...options], { cwd: box.workspace, env: box.environment(), stdio: 'pipe' })
    this.#exited = new Promise((resolve) => this.#child.once('exit', resolve))
    onTestFinished(async () => {
      this.#child.kill('SIGKILL')
      await this.#exited
    })
    if (this.#child.stdout === null) throw new Error('no output to read')
    createInterface(this.#child.stdout).on('line', (line) => {
      this.#events.push(JSON.parse(line))
      this.#check()
    })
  }

  /** The first event not yet asked for that fits; those before it are passed over. */
  next(fits: (event: WatchEvent) => boolean): Promise<WatchEvent> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`No such event; printed: ${JSON.stringify(this.#events)}`)), OVERALL_MS)
      this.#check = () => {
        const index = this.#events.findIndex(fits)
        if (index === -1) return
        clearTimeout(timer)
        this.#check = () => {}
        resolve(this.#events.splice(0, index + 1)[index] ?? {})
      }
      this.#check()
    })
  }

  /** Everything is in place: the first sync has run, and the one that looks at what changed before the watch was. */
  async ready(): Promise<void> {
    await this.next((event) => event.event === 'synced')
    await this.next((event) => event.event === 'synced')
  }

  async stop(signal: 'SIGINT' | 'SIGTERM'): Promise<number | null> {
    this.#child.kill(signal)
    return this.#exited
  }
}
