export { openSqliteStore } from './open-sqlite-store.ts'
export type { SqliteStoreOptions } from './open-sqlite-store.ts'
export type { SqliteMemoryStore } from './sqlite-store.ts'
export { fileIdentity, hasIndexHead, listDamagedStores, setAsideDamagedStore } from './store-file.ts'
