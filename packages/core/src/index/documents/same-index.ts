import { canonicalJson, type NewChunk, type StoredChunk, type StoredDocument } from '@mnemark/spec'
import type { PreparedDocument } from './prepare-document.ts'

/** Whether a document as prepared now is in the store already: its row but for stat and recipe, and every chunk. */
export function isSameIndex(prepared: PreparedDocument, stored: StoredDocument, chunks: readonly StoredChunk[]): boolean {
  return (
    textOfRow(prepared.document) === textOfRow(stored) &&
    prepared.chunks.length === chunks.length &&
    prepared.chunks.every(({ chunk }, at) => textOfChunk(chunk) === textOfChunk(chunks[at]))
  )
}

function textOfRow({ title, from, to, dateReason, isEvergreen, properties }: StoredDocument): string {
  return canonicalJson({ title, from, to, dateReason, isEvergreen, properties })
}

function textOfChunk(chunk: NewChunk | undefined): string {
  if (chunk === undefined) return ''
  const { ordinal, startLine, endLine, text, headingTrail, attributes, labels, unindexed, inputs } = chunk
  return JSON.stringify([
    ordinal,
    startLine,
    endLine,
    text,
    headingTrail,
    inputs,
    canonicalJson({ attributes, labels, unindexed }),
  ])
}
