// What makes an answer of any backend complete and bounded, without the tools and their schemas: quick to load for a single command.

export { checkHits } from './check-hits.ts'
export type { HitChecks } from './check-hits.ts'
export { limitLines } from './limit-lines.ts'
export { linesOf } from './read-text.ts'
export type { ReadCall } from './read-text.ts'
