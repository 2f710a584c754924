import { type ChildProcess, spawn } from 'node:child_process'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { describe, expect, test } from 'vitest'
import { LAUNCHER, Sandbox } from './launcher.ts'

/** Long enough for any machine; a test that waits this long has failed. */
const OVERALL_MS = 20_000

type WatchEvent = Readonly<Record<string, unknown>>

/** A running `mnemark watch --json` and the events it has printed. */
class WatchProcess {
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

const QUICK = '{ agents: { defaults: { memorySearch: { sync: { watchDebounceMs: 30 } } } } }'

describe('watch', () => {
  test('B37, B40: notes present at the start, new, changed and deleted ones are followed, and temporary files are not', async () => {
    const box = new Sandbox({ 'memory/a.md': 'velvet\n', 'mnemark.json5': QUICK })
    const watch = new WatchProcess(box)
    expect(await watch.next(({ event }) => event === 'watching')).toMatchObject({ workspace: box.workspace })
    expect(await watch.next(({ event }) => event === 'synced')).toMatchObject({
      reason: 'start',
      total: 1,
      indexed: 1,
      chunks: 1,
    })
    await watch.next(({ event }) => event === 'synced')
    box.write('memory/x.tmp', 'churn')
    box.write('memory/notes/deep/b.md', 'walnut\n')
    expect(await watch.next(({ indexed }) => Number(indexed) > 0)).toMatchObject({
      event: 'synced',
      reason: 'watch',
      paths: ['memory/notes/deep/b.md'],
      indexed: 1,
    })
    rmSync(join(box.workspace, 'memory/a.md'))
    expect(await watch.next(({ removed }) => Number(removed) > 0)).toMatchObject({ paths: ['memory/a.md'], removed: 1 })
    expect(box.json(['search', 'velvet']).document.hits).toEqual([])
    expect(await watch.stop('SIGTERM')).toBe(0)
  }, 60_000)

  test('B39: a note saved by renaming is indexed again, and Ctrl+C ends the watch as done', async () => {
    const box = new Sandbox({ 'MEMORY.md': 'velvet\n', 'mnemark.json5': QUICK })
    const watch = new WatchProcess(box)
    await watch.ready()
    writeFileSync(join(box.workspace, '.MEMORY.md.swp'), 'indigo\n')
    renameSync(join(box.workspace, '.MEMORY.md.swp'), join(box.workspace, 'MEMORY.md'))
    expect(await watch.next(({ indexed }) => Number(indexed) > 0)).toMatchObject({ paths: ['MEMORY.md'] })
    const stopped = watch.next(({ event }) => event === 'stopped')
    expect(await watch.stop('SIGINT')).toBe(0)
    expect(await stopped).toEqual({ event: 'stopped' })
  }, 60_000)

  test('with sync.watch off the folder is looked at every sync.intervalMinutes', async () => {
    const sync = '{ watch: false, intervalMinutes: 0.001 }'
    const box = new Sandbox({ 'MEMORY.md': 'velvet\n', 'mnemark.json5': `{ memory: { search: { sync: ${sync} } } }` })
    const watch = new WatchProcess(box)
    await watch.next(({ reason }) => reason === 'start')
    box.write('MEMORY.md', 'indigo\n')
    expect(await watch.next(({ indexed }) => Number(indexed) > 0)).toMatchObject({ reason: 'interval', total: 1 })
    expect(await watch.stop('SIGTERM')).toBe(0)
  }, 60_000)

  test('with nothing to wait for it says so at once', () => {
    const box = new Sandbox({
      'MEMORY.md': 'velvet\n',
      'mnemark.json5': '{ memory: { search: { sync: { watch: false, intervalMinutes: 0 } } } }',
    })
    expect(box.json(['watch'])).toMatchObject({ code: 3, document: { error: { code: 'nothing-to-do' } } })
  })
})
