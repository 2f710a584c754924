import type { Console } from './console.ts'
import { describeProgress } from './describe-progress.ts'
import type { Progress } from './describe-progress.ts'

/** Faster work shows no progress. */
const QUIET_MS = 400
/** Logs and screen readers get fewer lines. */
const QUIET_LINES_MS = 2_000
const BETWEEN_LINES_MS = 10_000
const BETWEEN_DRAWINGS_MS = 50
const BAR_CELLS = 20

const PHASES: Record<Progress['phase'], string> = {
  list: 'looking for notes',
  text: 'reading notes',
  vectors: 'embedding',
  batch: 'waiting for the batch job',
  search: 'asking',
}

export interface ProgressOptions {
  /** Printed once, before the first progress: the work and its subject. */
  readonly title?: string
  /** Milliseconds from any origin. Default: the process's own clock. */
  readonly now?: () => number
}

/** Runs `work` and shows its progress: one line that changes, or plain lines now and then. Changes no mode of the terminal, so that there is none to put back. */
export async function withProgress<Result>(
  console: Console,
  work: (onProgress: (event: Progress) => void) => Promise<Result>,
  options: ProgressOptions = {},
): Promise<Result> {
  if (console.progress === 'none') return work(() => {})
  const shown = new ShownProgress(console, options)
  try {
    return await work((event) => shown.take(event))
  } finally {
    console.showLine('')
  }
}

class ShownProgress {
  readonly #console: Console
  readonly #title: string | undefined
  readonly #now: () => number
  readonly #startedAtMs: number
  #phase = { name: '', atMs: 0, done: 0 }
  #shownAtMs: number | null = null
  #shownPhase = ''

  constructor(console: Console, { title, now = () => performance.now() }: ProgressOptions) {
    this.#console = console
    this.#title = title
    this.#now = now
    this.#startedAtMs = now()
  }

  take(event: Progress): void {
    const nowMs = this.#now()
    if (event.phase !== this.#phase.name) this.#phase = { name: event.phase, atMs: nowMs, done: event.done }
    if (!this.#isTime(event, nowMs)) return
    if (this.#shownAtMs === null && this.#title !== undefined) this.#console.note(`mnemark: ${this.#title}`)
    this.#shownAtMs = nowMs
    this.#shownPhase = event.phase
    const parts = partsOf(event, describeProgress(event, { sinceMs: nowMs - this.#phase.atMs, sinceDone: this.#phase.done }))
    if (this.#console.progress === 'plain') this.#console.note(`mnemark: ${plainLine(parts)}`)
    else this.#console.showLine(lineWithin((this.#console.progressColumns ?? 0) - 1, parts))
  }

  #isTime({ phase, done, total }: Progress, nowMs: number): boolean {
    const isPlain = this.#console.progress === 'plain'
    // Unbounded work and the end of a phase are not worth a line: the next phase or the report follows.
    if (total === null || (isPlain && done >= total)) return false
    if (this.#shownAtMs === null) return nowMs - this.#startedAtMs >= (isPlain ? QUIET_LINES_MS : QUIET_MS)
    const isNewPhase = phase !== this.#shownPhase
    return isNewPhase || nowMs - this.#shownAtMs >= (isPlain ? BETWEEN_LINES_MS : BETWEEN_DRAWINGS_MS)
  }
}

interface Parts {
  readonly phase: string
  readonly bar: string
  readonly count: string
  readonly details: string
}

function partsOf({ phase, done, total }: Progress, details: string): Parts {
  const filled = total === null || total === 0 ? 0 : Math.min(BAR_CELLS, Math.floor((done / total) * BAR_CELLS))
  return {
    phase: PHASES[phase],
    // Characters that are one cell wide on every terminal.
    bar: `[${'#'.repeat(filled)}${'.'.repeat(BAR_CELLS - filled)}]`,
    count: `${done}/${total}`,
    details,
  }
}

function plainLine({ phase, count, details }: Parts): string {
  return `${phase}: ${count.replace('/', ' of ')} ${details}`.trimEnd()
}

/** As many parts as the line has room for, each whole or not at all. */
function lineWithin(cells: number, { phase, bar, count, details }: Parts): string {
  const forms = [[phase, bar, count, details], [phase, count, details], [phase, count], [count]]
  return forms.map((parts) => parts.join(' ').trimEnd()).find((line) => line.length <= cells) ?? ''
}
