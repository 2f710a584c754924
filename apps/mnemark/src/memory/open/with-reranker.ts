import type { Degradation, MemoryBackend } from '@mnemark/spec'

/** Wraps a memory so that its answers say why the configured reranker cannot be asked. */
export function withReranker(memory: MemoryBackend, problem: Degradation | null): MemoryBackend {
  if (problem === null) return memory
  return {
    specVersion: memory.specVersion,
    get name() {
      return memory.name
    },
    search: async (query) => {
      const reply = await memory.search(query)
      const { keywordsOnly = false, rerank = !keywordsOnly } = query.overrides ?? {}
      // A list, or an answer that is not there, has no order that a reranker could better.
      return rerank && reply.hits.length > 1 ? { ...reply, degraded: [...reply.degraded, problem] } : reply
    },
    list: (query) => memory.list(query),
    sync: (options) => memory.sync(options),
    status: async (options) => {
      const status = await memory.status(options)
      return { ...status, degraded: [...status.degraded, problem] }
    },
    read: (request) => memory.read(request),
    close: () => memory.close(),
  }
}
