import type { MemoryBackend, SearchHit, SearchReply } from '@mnemark/spec'
import { quoteHash } from '@mnemark/workspace'
import { applyMaskings, maskedPosition, maskingsOf } from './mask-text.ts'
import { readText, secretsAround } from './secrets-around.ts'
import type { ReadCall } from './secrets-around.ts'

export interface HitChecks extends ReadCall {
  /** Hide secrets in what is shown. */
  readonly isMasking: boolean
}

/** Gives each hit the hash by which its text is found again, and hides secrets in its snippet. Works over any backend. */
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
  const text = await readText(memory, { path, from: startLine, lines: endLine - startLine + 1 }, checks)
  const hashed = text === null ? hit : { ...hit, quoteHash: quoteHash(text) }
  if (!checks.isMasking) return hashed
  return maskHit(hashed, await secretsAround(memory, { path, startLine, text: text ?? hit.snippet }, checks))
}

function maskHit(hit: SearchHit, secrets: readonly string[]): SearchHit {
  const maskings = maskingsOf(hit.snippet, secrets)
  if (maskings.length === 0) return hit
  return {
    ...hit,
    snippet: applyMaskings(hit.snippet, maskings),
    highlights: hit.highlights
      .map(([start, end]) => [maskedPosition(start, maskings), maskedPosition(end, maskings)] as const)
      .filter(([start, end]) => end > start),
  }
}
