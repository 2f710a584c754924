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
import type { Reranker } from './models.ts'
import type { MemoryStore } from './store.ts'

export interface MemorySettings extends SearchOverrides {
  /** Target size of a chunk in tokens, 400, at least 1; `chunkOverlap` (80) counts inside it and must be smaller. */
  readonly chunkTokens?: number
  readonly chunkOverlap?: number
  /** Hits per answer when the query names no limit: 6, from 1 to 100. */
  readonly maxResults?: number
  /** Candidates looked at per wanted hit, 4. */
  readonly candidateMultiplier?: number
  readonly citations?: 'on' | 'off' | 'auto'
  /** A search first looks whether the sources changed: true. With false it answers from the last sync, unless there was none. */
  readonly syncOnSearch?: boolean
  /** IANA name; days in queries and ages of notes are counted in it. Default: the system's. */
  readonly timeZone?: string
  /** A language tag such as `de` or `pt-BR`: of translations of one page, the one ranked where a question does not tell. Default: the system's. */
  readonly language?: string
  /** How notes and queries mean `03/04/2026`, day or month first. Default: as the names of a note's folder prove, else such a date names no day. */
  readonly dateOrder?: 'dmy' | 'mdy'
  /** Fill the space of the link after the first one always. Default false. */
  readonly keepWarm?: boolean
  /** How long a link of the chain must have failed before documents go to the next one: 10. */
  readonly fallbackAfterMinutes?: number
  /** Where a query has a vector, vectors alone answer. Default false. */
  readonly vectorsOnly?: boolean
  /** True: a query that no provider can embed has no hits (`unavailable`) instead of keyword hits. Default false. */
  readonly requiresVectors?: boolean
  /** Shown in replies as what was asked for, such as `auto`. Default: the first link's provider. */
  readonly requestedProvider?: string
  /** Tokens of documents sent for embedding in a day of `timeZone` at most. Default: no bound. */
  readonly dailyTokens?: number
  /** Vectors kept that no chunk refers to any more: 50,000. */
  readonly maxUnreferencedVectors?: number
  /** Where a provider runs batch jobs, missing vectors are filled by them. Default: by requests. */
  readonly batch?: BatchJobSettings
  /** Milliseconds one request may take, and requests in flight at most. Defaults: by provider. */
  readonly embedding?: { readonly queryTimeoutMs?: number; readonly documentTimeoutMs?: number; readonly concurrency?: number }
}
/** How texts go into the offline jobs of a provider that runs them: cheaper, and hours later. */
export interface BatchJobSettings {
  /** Jobs at the service at a time: 2. */
  readonly concurrency?: number
  /** False: jobs are made and looked at once; the next sync collects them. Default true. */
  readonly wait?: boolean
  /** Milliseconds between two looks at a job, at first; grows to a minute: 2,000. */
  readonly pollIntervalMs?: number
  /** Ends the wait, not the jobs: 60. */
  readonly timeoutMinutes?: number
  /** Where texts go whose job ended without them: `inline` (default) by requests, `batch` in one more job. */
  readonly rest?: 'inline' | 'batch'
}
export interface CreateMemoryOptions {
  /** Closed with the memory: a store serves one. */
  readonly store: MemoryStore
  /** The notes. Needed, unless `sources` and `reader` are given. */
  readonly workspace?: MemoryWorkspace
  /** More documents beside those of the workspace, or instead of one. */
  readonly sources?: readonly DocumentSource[]
  /** Reads by path and line. Default: the workspace's. */
  readonly reader?: DocumentReader
  /** Who asks, where a query or a request names nobody. Default: each must. */
  readonly caller?: CallerContext
  /** The chain, first link first; empty = keywords only. They stay open: `closes` says who is closed. */
  readonly embeddings?: readonly EmbeddingProvider[]
  /** What else the memory closes when it is closed, providers say. Default: nothing, since others may still use it. */
  readonly closes?: readonly { close?(): Promise<void> }[]
  readonly annotators?: readonly Annotator[]
  readonly reranker?: Reranker
  readonly settings?: MemorySettings
  /** False for documents whose texts are not to be embedded, for want of somebody's agreement; they are found by words. Default: all are. */
  readonly mayEmbed?: (document: DocumentId) => boolean
  readonly now?: () => number
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
}
/** What a memory needs of a workspace: its documents, and a reader under the same paths. */
export interface MemoryWorkspace {
  readonly source: DocumentSource
  readonly reader: DocumentReader
}
/** A request that may leave out who asks. */
export type WithoutCaller<Request extends { readonly caller: CallerContext }> = Omit<Request, 'caller'> &
  Partial<Pick<Request, 'caller'>>
/** A memory that knows who asks where a query does not say so. */
export interface Memory extends MemoryBackend {
  search(query: WithoutCaller<SearchQuery>): Promise<SearchReply>
  list(query: WithoutCaller<ListQuery>): Promise<ListReply>
  read(request: WithoutCaller<ReadRequest>): Promise<ReadReply>
  [Symbol.asyncDispose](): PromiseLike<void>
}
export interface CreateMemory {
  (options: CreateMemoryOptions & { readonly caller: CallerContext }): Promise<Memory>
  (options: CreateMemoryOptions): Promise<MemoryBackend & AsyncDisposable>
}
/** Primary answers; when it fails the secondary does, flagged, until a cool-down has passed. */
export type WithFallback = (
  primary: MemoryBackend,
  secondary: MemoryBackend,
  options?: { readonly coolDownMs?: number; readonly now?: () => number },
) => MemoryBackend
