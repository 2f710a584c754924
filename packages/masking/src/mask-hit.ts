import type { HitVersion, HitVersions, SearchHit } from '@mnemark/spec'
import { applyMaskings, MASK, maskedPosition, maskingsOf, maskText } from './mask-text.ts'
import { secretsAround } from './secrets-around.ts'
import type { ReadLines } from './secrets-around.ts'

const CITATION = /^(?<path>[\s\S]*)#L(?<first>\d+)(?:-L(?<last>\d+))?$/u

/** Returns a hit with the secrets in its snippet hidden; `text` is the whole cited text. Highlights stay on their words. */
export async function maskHit(hit: SearchHit, text: string, readLines: ReadLines): Promise<SearchHit> {
  const secrets = await secretsAround({ path: hit.path, startLine: hit.startLine, text }, readLines)
  const maskings = await maskingsOf(hit.snippet, secrets)
  const versions = hit.versions && { versions: await maskVersions(hit.versions, readLines) }
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

/** A value alone does not look like a secret, so the lines it was taken from decide what is hidden. */
async function maskVersions(versions: HitVersions, readLines: ReadLines): Promise<HitVersions> {
  const items = versions.items.map(async (item): Promise<HitVersion> => {
    const secrets = await secretsOfCited(item.citation, readLines)
    return { ...item, differs: await Promise.all(item.differs.map((piece) => maskPiece(piece, secrets))) }
  })
  return { ...versions, items: await Promise.all(items) }
}

async function secretsOfCited(citation: string, readLines: ReadLines): Promise<readonly string[] | null> {
  const place = CITATION.exec(citation)?.groups
  if (place === undefined) return null
  const { path = '', first = '1', last = first } = place
  const startLine = Number(first)
  const text = await readLines({ path, from: startLine, lines: Number(last) - startLine + 1 })
  return text === null ? null : secretsAround({ path, startLine, text }, readLines)
}

/** A piece may be cut from the middle of a secret. If the lines cannot be read, nothing proves it harmless, so it is hidden. */
async function maskPiece(piece: string, secrets: readonly string[] | null): Promise<string> {
  const bare = piece.replace(/ ?…$/u, '')
  if (secrets === null || secrets.some((secret) => secret.includes(bare))) return MASK
  return maskText(piece, secrets)
}
