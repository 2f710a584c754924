// The pipeline over a store's snapshot, and excerpts around matches.
export type { PipelineReply } from './search-memory.ts'
export { createSearcher } from './searcher.ts'
export type { SearcherOptions } from './searcher.ts'
export type { QueryVector } from './candidates/vector-candidates.ts'
export { makeSnippet } from '../snippet/make-snippet.ts'
export type { WeightedMatch } from '../snippet/match-window.ts'
export type { Snippet, SnippetRequest } from '../snippet/make-snippet.ts'
