import { quoteHash } from '@mnemark/spec'
import type { MemoryBackend, SearchHit, SearchReply } from '@mnemark/spec'
import { linesOf } from './read-text.ts'
import type { ReadCall } from './read-text.ts'

export interface HitChecks extends ReadCall {
  /** Hides secrets in snippets. */
  readonly isMasking: boolean
}

/** Adds to each hit the hash by which its text is found again, and hides secrets in its snippet. Works over any backend. */
export async function checkHits(
  reply: SearchReply,
  memory: Pick<MemoryBackend, 'read'>,
  checks: HitChecks,
): Promise<SearchReply> {
  const hits = await Promise.all(reply.hits.map((hit) => checkHit(hit, memory, checks)))
  return { ...reply, hits }
}

async function checkHit(hit: SearchHit, memory: Pick<MemoryBackend, 'read'>, checks: HitChecks): Promise<SearchHit> {
  const { path, startLine, endLine } = hit
  const text = await linesOf(memory, checks)({ path, from: startLine, lines: endLine - startLine + 1 })
  const hashed = text === null ? hit : { ...hit, quoteHash: quoteHash(text) }
  if (!checks.isMasking) return hashed
  // Compiling its patterns takes time, so it is loaded only where masking is on.
  const { maskHit } = await import('@mnemark/masking')
  return maskHit(hashed, text ?? hit.snippet, linesOf(memory, checks))
}
