import type {
  CallerContext,
  DocumentReader,
  ListQuery,
  ListReply,
  MemoryBackend,
  ReadReply,
  ReadRequest,
  SearchOverrides,
  SearchQuery,
  SearchReply,
} from './backend.ts'
import type { Annotator, DocumentId, DocumentSource } from './document.ts'
import type { EmbeddingProvider } from './embedding.ts'
import type { IndexViews } from './index-view.ts'
import type { Reranker } from './models.ts'
import type { MemoryStore } from './store.ts'

export interface MemorySettings extends SearchOverrides {
  /** Target size of a chunk in tokens, at least 1, default 400; `chunkOverlap` (80) counts inside it and must be smaller. */
  readonly chunkTokens?: number
  readonly chunkOverlap?: number
  /** Hits per answer when the query names no limit, from 1 to 100; default 6. */
  readonly maxResults?: number
  /** Candidates per requested hit, default 4. */
  readonly candidateMultiplier?: number
  readonly citations?: 'on' | 'off' | 'auto'
  /**
   * Whether a search first checks the sources for changes; default true. With false it answers from the last sync,
   * unless there was none.
   */
  readonly syncOnSearch?: boolean
  /** IANA name; days in queries and ages of notes are counted in it. Default: the system's. */
  readonly timeZone?: string
  /**
   * A language tag such as `de` or `pt-BR`: the preferred translation of a page where a question does not show its
   * language. Default: the system's.
   */
  readonly language?: string
  /**
   * Order of day and month in `03/04/2026` in notes and queries. Default: as the names of a note's folder prove, else
   * such a date names no day.
   */
  readonly dateOrder?: 'dmy' | 'mdy'
  /** Whether to fill the space of the second link always. Default false. */
  readonly keepWarm?: boolean
  /** Minutes that a link of the chain must have failed before documents go to the next one; default 10. */
  readonly fallbackAfterMinutes?: number
  /** Whether vectors alone answer where a query has a vector. Default false. */
  readonly vectorsOnly?: boolean
  /** True: a query that no provider can embed has no hits (`unavailable`) instead of keyword hits. Default false. */
  readonly requiresVectors?: boolean
  /** Shown in replies as the requested provider, such as `auto`. Default: the first link's provider. */
  readonly requestedProvider?: string
  /** Most tokens of documents sent for embedding in a day of `timeZone`. Default: no limit. */
  readonly dailyTokens?: number
  /** Vectors that are kept although no chunk refers to them; default 50,000. */
  readonly maxUnreferencedVectors?: number
  /** Set to fill missing vectors by batch jobs, where a provider runs them. Default: by requests. */
  readonly batch?: BatchJobSettings
  /** Milliseconds that one request may take, and most requests in flight. Defaults: by provider. */
  readonly embedding?: { readonly queryTimeoutMs?: number; readonly documentTimeoutMs?: number; readonly concurrency?: number }
  /** How the reranker is asked, where there is one. */
  readonly reranking?: RerankSettings
}
export interface RerankSettings {
  /** Most passages of one search that are judged, the best first, from 2 to 200; default 50. The reranker's `limits` may lower it. */
  readonly top?: number
  /** Milliseconds that a search waits for the reranker, retry included; then the order without it stands. Default 2,000. */
  readonly timeoutMs?: number
  /** Most tokens of queries and passages sent in a day of `timeZone`. Default: no limit. */
  readonly dailyTokens?: number
}
/** Settings of offline jobs, for providers that run them: cheaper, and hours later. */
export interface BatchJobSettings {
  /** Jobs at the service at a time; default 2. */
  readonly concurrency?: number
  /** False: jobs are submitted and polled once; the next sync collects them. Default true. */
  readonly wait?: boolean
  /** Milliseconds between two polls of a job at first, growing to a minute; default 2,000. */
  readonly pollIntervalMs?: number
  /** Minutes until the wait ends, not the jobs; default 60. */
  readonly timeoutMinutes?: number
  /** How to send texts whose job ended without their vectors: `inline` (default) by requests, `batch` in one more job. */
  readonly rest?: 'inline' | 'batch'
}
export interface CreateMemoryOptions {
  /** Closed with the memory: a store serves one. */
  readonly store: MemoryStore
  /** The notes. Required, unless `sources` and `reader` are given. */
  readonly workspace?: MemoryWorkspace
  /** More documents beside those of the workspace, or instead of one. */
  readonly sources?: readonly DocumentSource[]
  /** Reads by path and line. Default: the workspace's. */
  readonly reader?: DocumentReader
  /** The caller, where a query or a request names none. Default: each must. */
  readonly caller?: CallerContext
  /** The chain, first link first; empty = keywords only. They stay open unless listed in `closes`. */
  readonly embeddings?: readonly EmbeddingProvider[]
  /** Resources that are closed with the memory, such as providers. Default: none, since others may still use them. */
  readonly closes?: readonly { close?(): Promise<void> }[]
  readonly annotators?: readonly Annotator[]
  /** Judges the best candidates of each search. It stays open unless listed in `closes`. Default: none. */
  readonly reranker?: Reranker
  readonly settings?: MemorySettings
  /**
   * False for documents whose texts must not be embedded, for lack of consent; they are found by words. Default: all
   * are embedded.
   */
  readonly mayEmbed?: (document: DocumentId) => boolean
  /** The same for the reranker: texts of such documents are not sent to it, and keep their places. Default: `mayEmbed`. */
  readonly mayRerank?: (document: DocumentId) => boolean
  readonly now?: () => number
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
}
/** The part of a workspace that a memory needs: its documents, and a reader under the same paths. */
export interface MemoryWorkspace {
  readonly source: DocumentSource
  readonly reader: DocumentReader
}
/** A request that may leave out the caller. */
export type WithoutCaller<Request extends { readonly caller: CallerContext }> = Omit<Request, 'caller'> &
  Partial<Pick<Request, 'caller'>>
/** A memory with a default caller. */
export interface Memory extends MemoryBackend, IndexViews {
  search(query: WithoutCaller<SearchQuery>): Promise<SearchReply>
  list(query: WithoutCaller<ListQuery>): Promise<ListReply>
  read(request: WithoutCaller<ReadRequest>): Promise<ReadReply>
  [Symbol.asyncDispose](): PromiseLike<void>
}
export interface CreateMemory {
  (options: CreateMemoryOptions & { readonly caller: CallerContext }): Promise<Memory>
  (options: CreateMemoryOptions): Promise<MemoryBackend & IndexViews & AsyncDisposable>
}
/** The primary answers; when it fails the secondary does, flagged, until a cool-down has passed. */
export type WithFallback = (
  primary: MemoryBackend,
  secondary: MemoryBackend,
  options?: { readonly coolDownMs?: number; readonly now?: () => number },
) => MemoryBackend
