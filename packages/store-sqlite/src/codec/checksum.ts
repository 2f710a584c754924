import { crc32 } from 'node:zlib'
import { StoreError } from '@mnemark/spec'

/**
 * SQLite does not notice a flipped byte inside a value. What search answers from carries a checksum, so that a damaged row
 * is an error and never a wrong or an empty answer. Rows written before there were checksums have none (null).
 */
export type Checksum = number | null

export function bytesChecksum(bytes: Uint8Array): number {
  return crc32(bytes)
}

/** Of a packed vector, together with the number of the input it belongs to. */
export function vectorChecksum(input: number, bytes: Uint8Array): number {
  return crc32(bytes, input)
}

/** What a citation and a snippet are made from. */
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

/** Throws StoreError `corrupt` where `found` is not what was written. */
export function assertChecksum(stored: Checksum, found: () => number, what: string): void {
  if (stored !== null && stored !== found()) throw damaged(`${what} is not as it was written`)
}

export function damaged(what: string): StoreError {
  return new StoreError(
    'corrupt',
    `The index is damaged: ${what}. \`store.check({ repair: true })\` mends what can be mended; a new file is built from the notes.`,
  )
}
