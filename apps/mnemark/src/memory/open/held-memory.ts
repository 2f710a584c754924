import type { MemoryBackend } from '@mnemark/spec'

/** A memory that indexes nothing and says why; notes can still be read by path. */
export function heldMemory(memory: MemoryBackend, message: string): MemoryBackend {
  const degraded = [{ code: 'consent-needed', message }] as const
  return {
    specVersion: memory.specVersion,
    name: memory.name,
    search: async () => ({
      hits: [],
      mode: 'unavailable',
      backend: memory.name,
      provider: null,
      model: null,
      requestedProvider: null,
      degraded,
      stale: true,
      timing: {},
    }),
    list: async () => ({ notes: [], total: 0, backend: memory.name, degraded, stale: true }),
    sync: async () => ({
      total: 0,
      indexed: 0,
      unchanged: 0,
      removed: 0,
      skipped: [],
      failed: [],
      chunks: 0,
      vectors: [],
      tokens: 0,
      degraded,
      isComplete: false,
      ms: 0,
    }),
    status: async () => ({ backend: memory.name, isDirty: true, documents: 0, chunks: 0, spaces: [], degraded, details: {} }),
    read: (request) => memory.read(request),
    close: () => memory.close(),
  }
}
