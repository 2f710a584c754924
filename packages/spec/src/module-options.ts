import type { EmbeddingLimits, EmbeddingProvider } from './embedding.ts'
import type { MemoryStore } from './store.ts'

/** What a program hands to `createProvider` of a module that its configuration names as a provider. Absent members were not configured. */
export interface ProviderModuleOptions {
  /** The name that the configuration gave it. */
  readonly id: string
  readonly apiKey?: string
  readonly baseUrl?: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly model?: string
  /** Length of vectors to ask for. */
  readonly dimensions?: number
  readonly limits: Partial<EmbeddingLimits>
  /** Whatever else the configuration says to the module. */
  readonly options: Readonly<Record<string, unknown>>
}

/** What a program hands to `createStore` of a module that its configuration names as the store. */
export interface StoreModuleOptions {
  /** Each agent has an index of its own. */
  readonly agentId: string
  /** Absolute path of the folder of notes, which has an index of its own too. */
  readonly workspace: string
  /** Nothing will be written. */
  readonly isReadOnly: boolean
  /** Whatever else the configuration says to the module. */
  readonly options: Readonly<Record<string, unknown>>
}

/** The function that such a module exports as `createProvider`, or as default. It sends nothing. */
export type CreateProvider = (options: ProviderModuleOptions) => EmbeddingProvider | Promise<EmbeddingProvider>

/** The function that such a module exports as `createStore`, or as default. It may open files and connections; `close` ends them. */
export type CreateStore = (options: StoreModuleOptions) => MemoryStore | Promise<MemoryStore>
