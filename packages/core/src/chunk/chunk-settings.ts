/**
 * Part of the recipe; raise it when the same text would be cut differently. Apart from the code that cuts, so that a
 * search does not load it.
 */
export const CHUNK_VERSION = '6'

export interface ChunkSettings {
  /** Most tokens in a chunk, overlap included; a whole number from 1, default 400. */
  readonly tokens?: number
  /**
   * Most tokens repeated from the chunk before; a whole number from 0, smaller than `tokens`. Default 80, or a fifth of
   * a smaller size. At least a quarter of a chunk's size is left for new text in any case.
   */
  readonly overlap?: number
}

export interface CheckedChunkSettings {
  readonly tokens: number
  readonly overlap: number
}

/** Fills in defaults. Throws TypeError for a value that is no number, RangeError for a number out of range. */
export function validateChunkSettings(settings: ChunkSettings = {}): CheckedChunkSettings {
  const tokens = wholeNumber('tokens', settings.tokens ?? 400, 1)
  const overlap = wholeNumber('overlap', settings.overlap ?? Math.min(80, Math.floor(tokens / 5)), 0)
  if (overlap >= tokens) {
    throw new RangeError(`chunking.overlap must be smaller than chunking.tokens (${tokens}), got ${overlap}`)
  }
  return { tokens, overlap }
}

function wholeNumber(name: string, value: unknown, least: number): number {
  if (typeof value !== 'number') throw new TypeError(`chunking.${name} must be a whole number, got ${typeof value}`)
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`chunking.${name} must be a whole number of at least ${least}, got ${value}`)
  }
  return value
}
