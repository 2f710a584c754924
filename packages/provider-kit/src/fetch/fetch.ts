/** A `fetch`, as every part of the kit takes and gives it. */
export type Fetch = typeof globalThis.fetch
