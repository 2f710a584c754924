import type { DocumentId, DocumentSource } from '@mnemark/spec'
import { ChangeCollector } from './change-collector.ts'
import { Poll } from './poll.ts'
import { systemCode } from '../problems.ts'
import type { ScanSettings } from '../listing/scan.ts'
import type { RootsSnapshot } from '../listing/roots-snapshot.ts'
import { type RunningWatcher, startChokidar } from './system-watcher.ts'
import type { CheckedWatchOptions } from './watch-options.ts'
import { notesAt, touchesRoots, watchTarget } from './watch-target.ts'

/** The workspace as a watch needs it. */
export interface WatchContext {
  readonly snapshotRoots: () => RootsSnapshot
  readonly settings: ScanSettings
  readonly source: Pick<DocumentSource, 'list'>
  readonly options: CheckedWatchOptions
}

/** One call of `DocumentSource.watch`. */
export class Watch {
  readonly #context: WatchContext
  readonly #onChange: (changed: readonly DocumentId[]) => void
  readonly #collector: ChangeCollector
  #snapshot: RootsSnapshot
  #watcher: Promise<RunningWatcher | null> = Promise.resolve(null)
  /** Counts started watchers, so that events of a replaced one are ignored. */
  #generation = 0
  #hasTouchedRoots = false
  #poll: Poll | null = null
  #closed: Promise<void> | null = null

  constructor(context: WatchContext, onChange: (changed: readonly DocumentId[]) => void) {
    this.#context = context
    this.#onChange = onChange
    const { timers, debounceMs } = context.options
    this.#collector = new ChangeCollector({ timers, quietMs: debounceMs }, (changed) => this.#deliver(changed))
    this.#snapshot = context.snapshotRoots()
    this.#start()
  }

  close(): Promise<void> {
    this.#closed ??= this.#stop()
    return this.#closed
  }

  async #stop(): Promise<void> {
    this.#generation += 1
    this.#collector.clear()
    await Promise.all([this.#watcher.then((watcher) => watcher?.close()), this.#poll?.close()])
  }

  #start(): void {
    const generation = ++this.#generation
    const current = (act: () => void) => () => {
      if (generation === this.#generation) act()
    }
    const before = this.#watcher
    const startWatcher = this.#context.options.startWatcher ?? startChokidar
    this.#watcher = before
      .then((watcher) => watcher?.close())
      .then(() =>
        startWatcher(watchTarget(this.#snapshot, this.#context.settings), {
          // Nobody saw changes before the watcher was in place.
          onReady: current(() => this.#onChange([])),
          onEvent: (path) => current(() => this.#note(path))(),
          onError: (error) => current(() => this.#fallBack(error))(),
        }),
      )
      .catch((error: unknown) => {
        current(() => this.#fallBack(error))()
        return null
      })
  }

  #note(path: string): void {
    const changed = notesAt(path, this.#snapshot, this.#context.settings)
    const hasTouchedRoots = touchesRoots(path, this.#snapshot)
    if (changed.length === 0 && !hasTouchedRoots) return
    this.#hasTouchedRoots ||= hasTouchedRoots
    this.#collector.add(changed)
  }

  #deliver(changed: ReadonlyMap<string, DocumentId>): void {
    if (this.#hasTouchedRoots && this.#haveRootsChanged()) {
      this.#start()
      this.#onChange([])
    } else if (changed.size > 0) this.#onChange([...changed.values()])
  }

  /** True after a folder came back, a link changed its target, or a first `memory/` appeared: other files are notes now. */
  #haveRootsChanged(): boolean {
    this.#hasTouchedRoots = false
    const before = signatureOf(this.#snapshot)
    this.#snapshot = this.#context.snapshotRoots()
    return signatureOf(this.#snapshot) !== before
  }

  /** Reports exactly once: a system that refuses one folder refuses hundreds. */
  #fallBack(error: unknown): void {
    this.#generation += 1
    this.#collector.clear()
    this.#watcher = this.#watcher.then((watcher) => watcher?.close()).then(() => null)
    const { timers, pollIntervalMs, onRefusal } = this.#context.options
    onRefusal(`The notes cannot be watched: ${refusalReason(error)}. They are listed every ${pollIntervalMs / 1000} s instead.`)
    this.#poll = new Poll(this.#context.source, { timers, intervalMs: pollIntervalMs }, this.#onChange)
    this.#poll.start()
  }
}

function signatureOf({ layout, roots }: RootsSnapshot): string {
  const { kind, curated, memoryFolder, bankFolder, failures } = layout
  const places = roots.map(({ base, realBase, prefix, problem, file }) => ({ base, realBase, prefix, problem, file }))
  return JSON.stringify([kind, curated, memoryFolder, bankFolder, failures, places])
}

const REFUSALS: Readonly<Record<string, string>> = {
  ENOSPC: 'the system watches no more folders (fs.inotify.max_user_watches)',
  EMFILE: 'too many files or watchers are open (ulimit -n, fs.inotify.max_user_instances)',
  ENFILE: 'too many files are open on this system',
}

function refusalReason(error: unknown): string {
  const code = systemCode(error)
  const reason = REFUSALS[code] ?? 'the system refuses'
  return code === '' ? reason : `${reason} (${code})`
}
