import type { DocumentId } from '@mnemark/spec'
import { onTestFinished } from 'vitest'
import type { Timers } from '../src/watching/timers.ts'
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../src/workspace.ts'

/** Long enough for any machine; a test that waits this long has failed. */
const OVERALL_MS = 300_000

type Report = readonly DocumentId[]

/** The reports of a watch, for a test to wait for. */
export class Reports {
  readonly all: Report[] = []
  readonly #waiting = new Set<() => void>()

  readonly add = (report: Report): void => {
    this.all.push(report)
    for (const check of this.#waiting) check()
  }

  /** Paths of all reports so far. */
  get paths(): readonly string[] {
    return [...new Set(this.all.flatMap((report) => report.map(({ path }) => path)))].sort()
  }

  /** Resolves when all these paths were reported; rejects when that takes too long. */
  async until(...paths: readonly string[]): Promise<void> {
    await this.#fulfilled(`a report of ${paths.join(', ')}`, () => paths.every((path) => this.paths.includes(path)))
  }

  /** Resolves when there were so many reports that anything may have changed. */
  async untilAnything(count = 1): Promise<void> {
    await this.#fulfilled(`${count} reports of anything`, () => this.all.filter((report) => report.length === 0).length >= count)
  }

  clear(): void {
    this.all.length = 0
  }

  #fulfilled(what: string, holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(check)
        reject(new Error(`No ${what} within ${OVERALL_MS} ms; reported: ${JSON.stringify(this.all)}`))
      }, OVERALL_MS)
      const check = (): void => {
        if (!holds()) return
        clearTimeout(timer)
        this.#waiting.delete(check)
        resolve()
      }
      this.#waiting.add(check)
      check()
    })
  }
}

export interface Watched {
  readonly workspace: Workspace
  readonly reports: Reports
  close(): Promise<void>
}

/** Opens and watches a workspace, in place when this resolves; closed when the test ends. */
export async function watched(options: WorkspaceOptions): Promise<Watched> {
  const workspace = await openWorkspace({ ...options, watch: { debounceMs: 20, ...options.watch } })
  const reports = new Reports()
  const watch = workspace.source.watch?.(reports.add)
  if (watch === undefined) throw new Error('the workspace cannot be watched')
  onTestFinished(() => watch.close())
  await reports.untilAnything()
  reports.clear()
  return { workspace, reports, close: () => watch.close() }
}

/** Time that passes only when a test says so. */
export class ManualTimers implements Timers {
  #nowMs = 0
  readonly #pending = new Set<{ readonly atMs: number; readonly callback: () => void }>()

  after(ms: number, callback: () => void): () => void {
    const timer = { atMs: this.#nowMs + ms, callback }
    this.#pending.add(timer)
    return () => this.#pending.delete(timer)
  }

  get pending(): number {
    return this.#pending.size
  }

  advance(ms: number): void {
    this.#nowMs += ms
    for (const timer of [...this.#pending].sort((left, right) => left.atMs - right.atMs)) {
      if (timer.atMs <= this.#nowMs && this.#pending.delete(timer)) timer.callback()
    }
  }
}
