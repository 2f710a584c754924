export { createInMemoryStore, InMemoryDisk } from './in-memory-store.ts'
export type { InMemoryStoreOptions } from './in-memory-store.ts'
