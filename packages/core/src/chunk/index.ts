// Markdown cut into chunks that can be cited by line. Pure.
export type { ChunkDraft, ChunkOptions } from './chunk-document.ts'
export type { ChunkSettings } from './chunk-settings.ts'
export { chunkText } from './chunk-text.ts'
export type { ChunkTextOptions } from './chunk-text.ts'
