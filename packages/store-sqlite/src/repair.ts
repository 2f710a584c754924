/** For programs that maintain an index file: handling of a damaged one, and rescue of its data. */
export { rescueVectors } from './upkeep/rescue-vectors.ts'
export type { Rescued } from './upkeep/rescue-vectors.ts'
export { fileIdentity, hasIndexHead, listDamagedStores, setAsideDamagedStore } from './file/store-file.ts'
