import type { EmbeddingLimits, EmbeddingProvider } from './embedding.ts'
import type { Reranker, TextGenerator } from './models.ts'
import type { MemoryStore } from './store.ts'

/**
 * Options that a program passes to `createProvider` of a module that its configuration names as a provider. Absent
 * members were not configured.
 */
export interface ProviderModuleOptions {
  /** Name of the provider in the configuration. */
  readonly id: string
  readonly apiKey?: string
  readonly baseUrl?: string
  /** HTTP headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly model?: string
  /** Requested length of vectors. */
  readonly dimensions?: number
  readonly limits: Partial<EmbeddingLimits>
  /** All other configuration of the module. */
  readonly options: Readonly<Record<string, unknown>>
}

/**
 * Options that a program passes to `createGenerator` and `createReranker` of a module that its configuration names. Absent
 * members were not configured.
 */
export type ModelModuleOptions = Omit<ProviderModuleOptions, 'dimensions' | 'limits'>

/** Options that a program passes to `createStore` of a module that its configuration names as the store. */
export interface StoreModuleOptions {
  /** Each agent has a separate index. */
  readonly agentId: string
  /** Absolute path of the folder of notes, which has a separate index too. */
  readonly workspace: string
  /** True where nothing will be written. */
  readonly isReadOnly: boolean
  /** All other configuration of the module. */
  readonly options: Readonly<Record<string, unknown>>
}

/** The function that such a module exports as `createProvider`, or as default. It sends nothing. */
export type CreateProvider = (options: ProviderModuleOptions) => EmbeddingProvider | Promise<EmbeddingProvider>

/** The function that such a module exports as `createGenerator`, or as default. It sends nothing. */
export type CreateGenerator = (options: ModelModuleOptions) => TextGenerator | Promise<TextGenerator>

/** The function that such a module exports as `createReranker`, or as default. It sends nothing. */
export type CreateReranker = (options: ModelModuleOptions) => Reranker | Promise<Reranker>

/** The function that such a module exports as `createStore`, or as default. It may open files and connections; `close` ends them. */
export type CreateStore = (options: StoreModuleOptions) => MemoryStore | Promise<MemoryStore>
