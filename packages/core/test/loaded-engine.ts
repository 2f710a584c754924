// What createMemory loads when it is needed, loaded before a VirtualClock runs: to it, waiting for a module is waiting for nothing.
await Promise.all([
  import('../src/index/fill-vectors.ts'),
  import('../src/index/prepare-document.ts'),
  import('../src/keywords/segment-builder.ts'),
  import('../src/keywords/merge-segments.ts'),
  import('../src/query/read-query.ts'),
  import('../src/search/search-memory.ts'),
  import('../src/search/vector-candidates.ts'),
  import('../src/search/fuse-candidates.ts'),
  import('../src/embed/embed-query-by-chain.ts'),
  import('../src/backend/chain-health.ts'),
])

export {}
