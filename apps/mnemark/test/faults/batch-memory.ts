import { createMemory } from '@mnemark/core'
import type { DocumentSource, DocumentStat, EmbeddingProvider, MemoryBackend } from '@mnemark/spec'
import { openSqliteStore } from '@mnemark/store-sqlite'

/** A text that no other note has. */
export const textOf = (number: number): string =>
  `Note ${number}: the ${number % 97} gardens of street ${number * 31} were watered.`

/** Notes that are made when they are read, one text each. */
function noteSource(count: number): DocumentSource {
  const statOf = (number: number): DocumentStat => {
    const path = `memory/${String(number).padStart(6, '0')}.md`
    return { source: 'memory', path, size: textOf(number).length, modifiedAtMs: 1, version: '1' }
  }
  return {
    id: 'memory',
    async *list() {
      for (let number = 0; number < count; number++) yield statOf(number)
    },
    read: async ({ path }) => ({ text: textOf(Number(/\d+/.exec(path)?.[0])) }),
  }
}

const NO_READER = { read: async () => ({ path: '', status: 'not-found', text: '', startLine: 0, endLine: 0 }) as const }

/** Time that passes so many times as fast as that of the machine, from a beginning that all processes share. */
export interface FastTime {
  readonly beginMs: number
  readonly factor: number
  readonly aheadMs: number
}

export interface BatchMemoryOptions {
  readonly file: string
  readonly count: number
  readonly provider?: EmbeddingProvider
  readonly time: FastTime
}

export async function openBatchMemory({ file, count, provider, time }: BatchMemoryOptions): Promise<MemoryBackend> {
  const { beginMs, factor, aheadMs } = time
  return createMemory({
    store: await openSqliteStore({ path: file }),
    sources: [noteSource(count)],
    reader: NO_READER,
    embeddings: provider === undefined ? [] : [provider],
    settings: { timeZone: 'UTC', batch: { pollIntervalMs: 1_000, concurrency: 2, timeoutMinutes: 600 } },
    now: () => beginMs + (Date.now() - beginMs) * factor + aheadMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const stop = (): void => {
          clearTimeout(timer)
          reject(signal?.reason)
        }
        const timer = setTimeout(() => {
          signal?.removeEventListener('abort', stop)
          resolve()
        }, ms / factor)
        signal?.addEventListener('abort', stop, { once: true })
      }),
  })
}
