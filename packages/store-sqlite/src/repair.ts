/** For programs that keep an index file in order: what to do with one that is damaged, and what can be saved of it. */
export { rescueVectors } from './upkeep/rescue-vectors.ts'
export type { Rescued } from './upkeep/rescue-vectors.ts'
export { fileIdentity, hasIndexHead, listDamagedStores, setAsideDamagedStore } from './file/store-file.ts'
