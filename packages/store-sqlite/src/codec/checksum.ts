import { crc32 } from 'node:zlib'
import { StoreError } from '@mnemark/spec'

/**
 * SQLite does not notice a flipped byte inside a value. Data that search reads has a checksum, so that a damaged row is
 * an error and never a wrong or an empty answer. Older rows have none (null).
 */
export type Checksum = number | null

export function bytesChecksum(bytes: Uint8Array): number {
  return crc32(bytes)
}

/** Checksum of a packed vector together with the number of its input. */
export function vectorChecksum(input: number, bytes: Uint8Array): number {
  return crc32(bytes, input)
}

/** The columns of a chunk that citations and snippets use. */
export interface ChunkContent {
  readonly ordinal: number
  readonly startLine: number
  readonly endLine: number
  readonly text: string
  readonly headingTrail: string
  readonly attributes: string
  readonly unindexed: string | null
}

export function chunkChecksum(content: ChunkContent): number {
  const { ordinal, startLine, endLine, headingTrail, attributes, unindexed, text } = content
  return crc32(`${ordinal} ${startLine} ${endLine}\n${headingTrail}\n${attributes}\n${unindexed ?? ''}\n${text}`)
}

/** Throws StoreError `corrupt` where the checksum differs. */
export function assertChecksum(stored: Checksum, found: () => number, what: string): void {
  if (stored !== null && stored !== found()) throw damaged(`${what} is not as it was written`)
}

export function damaged(what: string): StoreError {
  return new StoreError(
    'corrupt',
    `The index is damaged: ${what}. \`store.check({ repair: true })\` mends what can be mended; a new file is built from the notes.`,
  )
}
