import type { Console } from './console.ts'
import { describeProgress } from './describe-progress.ts'
import type { Progress } from './describe-progress.ts'

const QUIET_MS = 400

const PHASES: Record<Progress['phase'], string> = {
  list: 'looking for notes',
  text: 'reading notes',
  vectors: 'embedding',
  batch: 'waiting for the batch job',
  search: 'asking',
}

/** Runs `work` and draws its progress for a person who watches; work that is soon done draws nothing. */
export async function withProgress<Result>(
  console: Console,
  work: (onProgress: (event: Progress) => void) => Promise<Result>,
): Promise<Result> {
  if (!console.isWatched) return work(() => {})
  const { default: progress } = await import('cli-progress')
  const bar = new progress.SingleBar({
    format: '{phase} {bar} {value}/{total} {details}',
    barsize: 30,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    clearOnComplete: true,
    stopOnComplete: false,
    stream: process.stderr,
  })
  const startedAtMs = performance.now()
  let isDrawn = false
  let current = { phase: '', atMs: startedAtMs, done: 0 }
  try {
    return await work((event) => {
      const { phase, done, total } = event
      const nowMs = performance.now()
      if (phase !== current.phase) current = { phase, atMs: nowMs, done }
      if (total === null || nowMs - startedAtMs < QUIET_MS) return
      const details = describeProgress(event, { sinceMs: nowMs - current.atMs, sinceDone: current.done })
      if (!isDrawn) bar.start(total, done, { phase: PHASES[phase], details })
      isDrawn = true
      bar.setTotal(total)
      bar.update(done, { phase: PHASES[phase], details })
    })
  } finally {
    if (isDrawn) bar.stop()
  }
}
