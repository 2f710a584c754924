import type { Stats } from 'node:fs'

/**
 * The paths to watch: folders with everything below them, single files, and links themselves. Absolute; some may not exist yet.
 */
export interface WatchTarget {
  readonly paths: readonly string[]
  /** Asked with the path alone, and again with its stats where they are known. What is ignored is neither entered nor reported. */
  isIgnored(path: string, stats?: Stats): boolean
}

export interface WatchHandlers {
  /** The watch is ready: from now on every change is reported. */
  onReady(): void
  /** Something at this absolute path appeared, changed or disappeared. */
  onEvent(path: string): void
  /** The system refuses to watch, or to go on. */
  onError(error: unknown): void
}

export interface RunningWatcher {
  close(): Promise<void>
}

/** Starts the system's own watching. Rejects where there is none. */
export type StartWatcher = (target: WatchTarget, handlers: WatchHandlers) => Promise<RunningWatcher>

/** Watches by chokidar: one handle for each folder, none for files. */
export const startChokidar: StartWatcher = async (target, handlers) => {
  // Loaded here, because only a process that watches needs it.
  const { watch } = await import('chokidar')
  const watcher = watch([...target.paths], {
    ignored: (path, stats) => target.isIgnored(path, stats),
    ignoreInitial: true,
    followSymlinks: false,
    // The debounce already joins saves by renaming; a second delay would only add to it.
    atomic: false,
    ignorePermissionErrors: true,
  })
  watcher.on('all', (_event, path) => handlers.onEvent(path))
  watcher.on('error', (error) => handlers.onError(error))
  watcher.on('ready', () => handlers.onReady())
  return watcher
}
