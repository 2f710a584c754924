// Loads the modules that createMemory loads on demand before a VirtualClock runs, which would not wait for a module.
await Promise.all([
  import('../src/index/vectors/fill-vectors.ts'),
  import('../src/index/documents/prepare-document.ts'),
  import('../src/keywords/build/segment-builder.ts'),
  import('../src/keywords/build/merge-segments.ts'),
  import('../src/query/read-query.ts'),
  import('../src/search/search-memory.ts'),
  import('../src/search/candidates/vector-candidates.ts'),
  import('../src/search/candidates/fuse-candidates.ts'),
  import('../src/embed/chain/embed-query-by-chain.ts'),
  import('../src/backend/chain-health.ts'),
  import('../src/rerank/ask-reranker.ts'),
  import('../src/search/rerank/rerank-aged.ts'),
  import('../src/index/ledger/shared-allowance.ts'),
])

export {}
