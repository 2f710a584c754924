import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { AgentMemory, MemoryEvent } from '../operations/agent-memory.ts'
import type { Caller } from '@mnemark/tools'
import { toToolFailure } from '@mnemark/tools/host'

const KEEP_ALIVE_MS = 15_000
/** How many events are kept for a slow reader; older ones are dropped first. */
const MAX_WAITING = 100

/** Server-sent events about syncs, until the reader goes or `stopping` aborts. A slow reader misses progress, never fills memory. */
export function eventStream(
  context: Context,
  memory: AgentMemory,
  { caller, stopping }: { readonly caller: Caller; readonly stopping: AbortSignal },
): Response {
  const ended = Promise.withResolvers<void>()
  const waiting: MemoryEvent[] = []
  let wake = Promise.withResolvers<void>()
  // Before the stream begins, so that a refusal has the usual form.
  const stopListening = memory.listenFor({ caller }, (event) => {
    if (event.event === 'progress' && waiting.length > 0) return
    if (waiting.push(event) > MAX_WAITING) waiting.shift()
    wake.resolve()
  })
  return streamSSE(context, async (stream) => {
    const end = (): void => ended.resolve()
    stream.onAbort(end)
    stopping.addEventListener('abort', end, { once: true })
    const keepAlive = setInterval(() => void stream.write(': \n\n'), KEEP_ALIVE_MS)
    try {
      await stream.writeSSE({ event: 'ready', data: '{}' })
      while (!stream.aborted && !stopping.aborted) {
        await Promise.race([wake.promise, ended.promise])
        wake = Promise.withResolvers<void>()
        for (const event of waiting.splice(0)) await Promise.race([stream.writeSSE(messageOf(event, memory)), ended.promise])
      }
    } finally {
      clearInterval(keepAlive)
      stopping.removeEventListener('abort', end)
      stopListening()
    }
  })
}

function messageOf(event: MemoryEvent, memory: AgentMemory): { readonly event: string; readonly data: string } {
  return { event: event.event, data: JSON.stringify(memory.withoutPlaces(dataOf(event, memory))) }
}

function dataOf(event: MemoryEvent, memory: AgentMemory): object {
  switch (event.event) {
    case 'progress':
      return event.progress
    case 'failed':
      return { reason: event.run.reason, error: toToolFailure(event.error, memory, {}) }
    case 'synced': {
      const { total, indexed, removed, failed, chunks, isComplete, ms } = event.report
      const paths = event.run.paths?.map(({ path }) => path)
      const what = paths === undefined ? { total } : { paths }
      return { reason: event.run.reason, ...what, indexed, removed, failed, chunks, isComplete, ms, degraded: event.repairs }
    }
  }
}
