import type { MemoryBackend, SearchHit } from '@mnemark/spec'
import { applyMaskings, maskedPosition, maskingsOf } from './mask-text.ts'
import { secretsAround } from './secrets-around.ts'
import type { ReadCall } from './read-text.ts'

/** A hit with the secrets in its snippet hidden; `text` is all that it cites. Highlights stay on their words. */
export async function maskHit(
  hit: SearchHit,
  text: string,
  memory: Pick<MemoryBackend, 'read'>,
  call: ReadCall,
): Promise<SearchHit> {
  const secrets = await secretsAround(memory, { path: hit.path, startLine: hit.startLine, text }, call)
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
