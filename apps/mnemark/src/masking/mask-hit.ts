import type { HitVersion, HitVersions, MemoryBackend, SearchHit } from '@mnemark/spec'
import { applyMaskings, MASK, maskedPosition, maskingsOf, maskText } from './mask-text.ts'
import { readText } from '../tools/read-text.ts'
import { secretsAround } from './secrets-around.ts'
import type { ReadCall } from '../tools/read-text.ts'

const CITATION = /^(?<path>[\s\S]*)#L(?<first>\d+)(?:-L(?<last>\d+))?$/u

/** A hit with the secrets in its snippet hidden; `text` is all that it cites. Highlights stay on their words. */
export async function maskHit(
  hit: SearchHit,
  text: string,
  memory: Pick<MemoryBackend, 'read'>,
  call: ReadCall,
): Promise<SearchHit> {
  const secrets = await secretsAround(memory, { path: hit.path, startLine: hit.startLine, text }, call)
  const maskings = await maskingsOf(hit.snippet, secrets)
  const versions = hit.versions && { versions: await maskVersions(hit.versions, memory, call) }
  if (maskings.length === 0) return { ...hit, ...versions }
  return {
    ...hit,
    ...versions,
    snippet: applyMaskings(hit.snippet, maskings),
    highlights: hit.highlights
      .map(([start, end]) => [maskedPosition(start, maskings), maskedPosition(end, maskings)] as const)
      .filter(([start, end]) => end > start),
  }
}

/** A value alone does not look like a secret, so the lines it was taken from say what to hide. */
async function maskVersions(versions: HitVersions, memory: Pick<MemoryBackend, 'read'>, call: ReadCall): Promise<HitVersions> {
  const items = versions.items.map(async (item): Promise<HitVersion> => {
    const secrets = await secretsOfCited(item.citation, memory, call)
    return { ...item, differs: await Promise.all(item.differs.map((piece) => maskPiece(piece, secrets))) }
  })
  return { ...versions, items: await Promise.all(items) }
}

async function secretsOfCited(
  citation: string,
  memory: Pick<MemoryBackend, 'read'>,
  call: ReadCall,
): Promise<readonly string[] | null> {
  const place = CITATION.exec(citation)?.groups
  if (place === undefined) return null
  const { path = '', first = '1', last = first } = place
  const startLine = Number(first)
  const text = await readText(memory, { path, from: startLine, lines: Number(last) - startLine + 1 }, call)
  return text === null ? null : secretsAround(memory, { path, startLine, text }, call)
}

/** A piece may be cut from the middle of a secret. Where the lines cannot be read, nothing says that it is harmless. */
async function maskPiece(piece: string, secrets: readonly string[] | null): Promise<string> {
  const bare = piece.replace(/ ?…$/u, '')
  if (secrets === null || secrets.some((secret) => secret.includes(bare))) return MASK
  return maskText(piece, secrets)
}
