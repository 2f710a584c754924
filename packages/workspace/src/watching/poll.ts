import type { DocumentId, DocumentSource, DocumentStat, SkippedDocument } from '@mnemark/spec'
import type { Timers } from './timers.ts'

/** Replaces watching if the system refuses it: lists now and then, and compares with the listing before. */
export class Poll {
  readonly #source: Pick<DocumentSource, 'list'>
  readonly #timers: Timers
  readonly #intervalMs: number
  readonly #onChange: (changed: readonly DocumentId[]) => void
  readonly #closing = new AbortController()
  #seen: ReadonlyMap<string, DocumentStat | SkippedDocument> = new Map()
  #look: Promise<void> = Promise.resolve()
  #cancel: () => void = () => {}

  constructor(
    source: Pick<DocumentSource, 'list'>,
    options: { readonly timers: Timers; readonly intervalMs: number },
    onChange: (changed: readonly DocumentId[]) => void,
  ) {
    this.#source = source
    this.#timers = options.timers
    this.#intervalMs = options.intervalMs
    this.#onChange = onChange
  }

  /** Changes before the first listing are unknown, so everything counts as changed. */
  start(): void {
    this.#look = this.#list().then((seen) => {
      this.#seen = seen
      this.#report([])
      this.#schedule()
    })
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#cancel()
    await this.#look
  }

  #schedule(): void {
    if (this.#closing.signal.aborted) return
    this.#cancel = this.#timers.after(this.#intervalMs, () => {
      this.#look = this.#compare().finally(() => this.#schedule())
    })
  }

  async #compare(): Promise<void> {
    const before = this.#seen
    const seen = await this.#list()
    const changed = [...seen.values()].filter((item) => !isSame(item, before.get(item.path)))
    const gone = [...before.values()].filter(({ path }) => !seen.has(path))
    this.#seen = seen
    if (changed.length + gone.length > 0) this.#report([...changed, ...gone].map(({ source, path }) => ({ source, path })))
  }

  /** If a listing fails midway, notes missing from it count as unchanged. */
  async #list(): Promise<ReadonlyMap<string, DocumentStat | SkippedDocument>> {
    const seen = new Map<string, DocumentStat | SkippedDocument>()
    try {
      for await (const item of this.#source.list({ signal: this.#closing.signal })) seen.set(item.path, item)
      return seen
    } catch {
      return new Map([...this.#seen, ...seen])
    }
  }

  #report(changed: readonly DocumentId[]): void {
    if (!this.#closing.signal.aborted) this.#onChange(changed)
  }
}

function isSame(now: DocumentStat | SkippedDocument, before: DocumentStat | SkippedDocument | undefined): boolean {
  if (before === undefined) return false
  if ('skipped' in now || 'skipped' in before) return 'skipped' in now && 'skipped' in before && now.skipped === before.skipped
  return now.size === before.size && now.modifiedAtMs === before.modifiedAtMs && now.inode === before.inode
}
