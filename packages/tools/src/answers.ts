// Completes and bounds the answers of any backend, without the tools and their schemas: quick to load for a single command.

export { checkHits } from './host/check-hits.ts'
export type { HitChecks } from './host/check-hits.ts'
export { limitLines } from './host/limit-lines.ts'
export { linesOf } from './host/read-text.ts'
export type { ReadCall } from './host/read-text.ts'
