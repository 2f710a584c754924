import { datedBy } from '@mnemark/core/document'
import { dayInZone } from '@mnemark/spec'
import type { Fact } from '../retain/fact.ts'
import { compareText } from '../retain/compare-text.ts'
import {
  type JournalAuthor,
  type JournalEntry,
  type JournalEvent,
  type JournalProblemCode,
  readJournalLine,
  writeJournalLine,
} from './journal-line.ts'

/** One file of the journal, which one machine writes. */
export interface JournalFile {
  readonly path: string
  readonly text: string
}

export interface JournalProblem {
  readonly path: string
  /** From 1. */
  readonly line: number
  readonly code: JournalProblemCode
}

/** Where a new line is written, and when. */
export interface JournalStamp {
  readonly nowMs: number
  readonly by: JournalAuthor
}

type EntryOf<Op extends JournalEvent['op']> = Extract<JournalEntry, { readonly op: Op }>

/** Ids on one line: a line stays short enough to be read in a diff. */
const IDS_PER_LINE = 200

/**
 * The files of a journal read together. Their order, copies of them and lines that stand twice change nothing: lines are ordered by their counters, then by the
 * name of the machine, never by a clock.
 */
export class Journal {
  readonly problems: readonly JournalProblem[]
  readonly #lines: readonly (JournalEntry & { readonly machine: string })[]
  readonly #first = new Map<string, JournalEntry>()
  readonly #backdated: ReadonlySet<string>

  constructor(files: readonly JournalFile[]) {
    const problems: JournalProblem[] = []
    const lines = new Map<string, JournalEntry & { readonly machine: string }>()
    for (const { path, text } of files) {
      const machine = machineOf(path)
      for (const [at, line] of text.split('\n').entries()) {
        if (line.trim() === '') continue
        const read = readJournalLine(line.trim())
        if (typeof read === 'string') problems.push({ path, line: at + 1, code: read })
        else lines.set(JSON.stringify([machine, writeJournalLine(read)]), { ...read, machine })
      }
    }
    this.problems = problems.toSorted((left, right) => compareText(left.path, right.path) || left.line - right.line)
    this.#lines = [...lines.values()].toSorted(
      (left, right) =>
        left.n - right.n ||
        compareText(left.machine, right.machine) ||
        compareText(writeJournalLine(left), writeJournalLine(right)),
    )
    for (const line of this.#lines)
      if (line.op === 'start' || line.op === 'seen')
        for (const id of line.facts) if (!this.#first.has(id)) this.#first.set(id, line)
    this.#backdated = new Set(this.#ofFirstStart().flatMap(({ facts }) => facts))
  }

  /** True where nothing was recorded about when facts became known. */
  get isEmpty(): boolean {
    return this.#first.size === 0
  }

  /** Whether a line tells of this fact. */
  has(factId: string): boolean {
    return this.#first.has(factId)
  }

  /**
   * The day YYYY-MM-DD in `timeZone` on which a fact became known: that of its log for facts that were there when the record began, else that of the first line
   * that tells of it. Undefined: always known.
   */
  knownSince({ id, path, days }: Pick<Fact, 'id' | 'days'> & { readonly path: string }, timeZone: string): string | undefined {
    if (this.#backdated.has(id)) return datedBy(path, { dates: [], headings: [] })?.from ?? days?.from
    const line = this.#first.get(id)
    return line === undefined ? undefined : dayInZone(Date.parse(line.at), timeZone)
  }

  /** All entries of one kind, in their order. */
  entries<Op extends JournalEvent['op']>(op: Op): readonly EntryOf<Op>[] {
    // Safe: `op` decides which of the forms an entry has.
    return this.#lines.filter((line) => line.op === op) as unknown as readonly EntryOf<Op>[]
  }

  /** The text to append to the file of `machine` so that it tells of these facts; empty where it does already. A start that was cut off goes on. */
  recording(factIds: Iterable<string>, machine: string, stamp: JournalStamp): string {
    const ids = [...new Set(factIds)].filter((id) => !this.has(id)).toSorted()
    const own = this.#lines.filter((line) => line.machine === machine && line.op === 'start')
    const last = own.at(-1)
    const isStart = this.isEmpty || (last?.op === 'start' && last.end !== true)
    if (ids.length === 0 && !(isStart && last !== undefined)) return ''
    const of = last?.op === 'start' && last.end !== true ? last.of : this.#next
    const groups = chunked(ids)
    return this.writing(
      groups.map(
        (facts, at): JournalEvent =>
          isStart ? { op: 'start', facts, of, ...(at === groups.length - 1 && { end: true as const }) } : { op: 'seen', facts },
      ),
      stamp,
    )
  }

  /** The text to append for these events, each a line with the next counter. */
  writing(events: readonly JournalEvent[], { nowMs, by }: JournalStamp): string {
    const at = new Date(nowMs).toISOString()
    const first = this.#next
    return events.map((event, index) => `${writeJournalLine({ ...event, n: first + index, at, by })}\n`).join('')
  }

  get #next(): number {
    return (this.#lines.at(-1)?.n ?? 0) + 1
  }

  /** Only the first start backdates: a second machine, or one whose journal was lost, saw its facts late. */
  #ofFirstStart(): readonly EntryOf<'start'>[] {
    const starts = this.#lines.filter((line) => line.op === 'start')
    const [first] = starts.toSorted((left, right) => left.of - right.of || compareText(left.machine, right.machine))
    return first === undefined ? [] : starts.filter(({ of, machine }) => of === first.of && machine === first.machine)
  }
}

function chunked(ids: readonly string[]): readonly (readonly string[])[] {
  if (ids.length === 0) return [[]]
  return Array.from({ length: Math.ceil(ids.length / IDS_PER_LINE) }, (_, at) =>
    ids.slice(at * IDS_PER_LINE, (at + 1) * IDS_PER_LINE),
  )
}

const MACHINE = /^[0-9a-z]{4,40}/u

/** The machine that writes a file; a copy that a sync program made, `x (conflicted copy).jsonl`, is of the same one. */
function machineOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return MACHINE.exec(name)?.[0] ?? name
}
