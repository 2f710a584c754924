import type { SyncOptions, SyncReport } from '@mnemark/spec'
import type { Settings } from '../../config/load-settings.ts'
import type { Console } from '../../terminal/console.ts'
import { isolate, printableName } from '../../terminal/isolate.ts'
import { withProgress } from '../../terminal/progress.ts'
import { openMemory } from '../open/open-memory.ts'
import type { OpenMemory } from '../open/open-memory.ts'
import { Stopped } from './stopped.ts'

/** Limit of the time for counting what was kept, so that stopping a command is quick. */
const LOOK_MS = 5_000

export interface StoppableSync {
  readonly open: OpenMemory
  readonly settings: Settings
  readonly console: Console
}

/**
 * A sync with its progress. Ctrl+C and a termination signal end it after the current batch; a second one ends the process at
 * once. Rejects with `Stopped`, which reports what is kept; the memory is closed then.
 */
export async function stoppableSync(
  { open, settings, console }: StoppableSync,
  options: Omit<SyncOptions, 'onProgress' | 'signal'> = {},
): Promise<SyncReport> {
  const stopped = Promise.withResolvers<NodeJS.Signals>()
  const release = (): void => void process.off('SIGINT', stop).off('SIGTERM', stop)
  const stop = (signal: NodeJS.Signals): void => {
    release()
    stopped.resolve(signal)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  try {
    const title = titleFor(settings, console)
    const work = withProgress(console, (onProgress) => open.memory.sync({ ...options, onProgress }), { title })
    const ended = await Promise.race([stopped.promise, work])
    if (typeof ended !== 'string') return ended
    console.note('mnemark: stopping after the current batch; again, and it ends at once')
    await open.close()
    await work.catch(() => {
      // It was closed during the call, as intended.
    })
    throw new Stopped(ended, await whatIsKept(settings))
  } finally {
    release()
  }
}

function titleFor({ workspace }: Settings, { isWatched }: Console): string {
  const folder = isolate(printableName(workspace))
  return isWatched ? `indexing ${folder}; Ctrl+C stops it, and what is done is kept` : `indexing ${folder}`
}

/** Reports what the next run will find: the index is opened again and compared with the folder. */
export async function whatIsKept(settings: Settings): Promise<{ readonly message: string; readonly next: string }> {
  if (settings.qmd !== null) return { message: 'stopped', next: 'The next run goes on from there.' }
  try {
    const open = await openMemory(settings, { isReadOnly: true, vectors: 'none', isBuiltInOnly: true })
    try {
      const { details, spaces } = await open.memory.status({ signal: AbortSignal.timeout(LOOK_MS) })
      const count = (name: string): number => Number(details[name]) || 0
      const vectors = spaces.reduce((sum, { missing }) => sum + missing, 0)
      return keptText({ listed: count('listed'), missing: count('missing'), changed: count('changed'), vectors })
    } finally {
      await open.close()
    }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    return { message: `stopped; what is kept could not be counted: ${cause}`, next: 'mnemark status counts it.' }
  }
}

interface Kept {
  readonly listed: number
  /** Not in the index. */
  readonly missing: number
  /** Not in the index in their current state, the missing ones included. */
  readonly changed: number
  /** Texts without a vector. */
  readonly vectors: number
}

function keptText({ listed, missing, changed, vectors }: Kept): { readonly message: string; readonly next: string } {
  const message = `stopped: ${listed - missing} of ${listed} notes are indexed and kept`
  if (missing > 0) return { message, next: `The next run goes on with the other ${missing}.` }
  if (changed > 0) return { message, next: `The next run reads ${changed === 1 ? 'one' : changed} again that changed.` }
  if (vectors > 0) return { message, next: `The next run embeds the ${vectors} texts that have no vector yet.` }
  return { message, next: 'Nothing is left to be done.' }
}
