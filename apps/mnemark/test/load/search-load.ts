import type { ServeProcess } from '../harness/serve-process.ts'

export interface LoadResult {
  readonly searches: number
  readonly errors: readonly string[]
  readonly staleShare: number
  readonly p50Ms: number
  readonly p95Ms: number
}

/** So many clients, each asking again as soon as it has an answer, until `isOver`. */
export async function searchLoad(
  server: ServeProcess,
  clients: number,
  { query, isOver }: { readonly query: () => string; readonly isOver: () => boolean },
): Promise<LoadResult> {
  const times: number[] = []
  const errors: string[] = []
  let stale = 0
  const client = async (): Promise<void> => {
    while (!isOver()) {
      const startedAt = performance.now()
      try {
        const { status, body } = await server.post('/v1/search', { query: query() })
        times.push(performance.now() - startedAt)
        if (status !== 200) errors.push(`status ${status}`)
        if ((body as { readonly stale?: boolean }).stale === true) stale += 1
      } catch (error) {
        errors.push(String(error))
      }
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  times.sort((left, right) => left - right)
  const at = (share: number): number => Math.round((times[Math.floor(times.length * share)] ?? 0) * 10) / 10
  return { searches: times.length, errors, staleShare: stale / Math.max(1, times.length), p50Ms: at(0.5), p95Ms: at(0.95) }
}
