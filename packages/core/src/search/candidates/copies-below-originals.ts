import { documentKey } from '@mnemark/spec'
import { comparablePath, originalBeside } from '../../document/names/copy-name.ts'
import type { Candidate } from './candidate.ts'

/** Factor that puts a copy behind the best of its original, where its own words would put it before. */
const BEHIND = 0.999

/**
 * Puts a note before the copy that a sync program made of it, whichever has more of the words: the copy lost the
 * conflict. A copy keeps its place only if the query names it.
 */
export function copiesBelowOriginals(candidates: readonly Candidate[]): readonly Candidate[] {
  if (!candidates.some(isCopy)) return candidates
  const best = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const key = comparablePath(documentKey(candidate.document))
    if (candidate.fused > (best.get(key)?.fused ?? Number.NEGATIVE_INFINITY)) best.set(key, candidate)
  }
  return candidates.map((candidate) => {
    if (!isCopy(candidate) || isNamedItself(candidate)) return candidate
    const { document } = candidate
    const keyOf = (path: string): string => documentKey({ ...document, path })
    const path = originalBeside(document.path, (each) => best.has(keyOf(each)))
    const original = path === undefined ? undefined : best.get(keyOf(path))
    if (original === undefined || candidate.fused < original.fused) return candidate
    const fused = original.fused * BEHIND
    const [lead, listScore] = [
      Math.min(candidate.lead, original.lead),
      Math.min(candidate.listScore, original.listScore * BEHIND),
    ]
    return { ...candidate, fused, score: fused, lead, listScore }
  })
}

/** Whether the query names the copy's own file: title and aliases come from the original. */
function isNamedItself({ nameMatch }: Candidate): boolean {
  return nameMatch === 'stem' || nameMatch === 'name' || nameMatch === 'exact'
}

function isCopy({ chunk }: Candidate): boolean {
  return chunk.attributes.marks?.includes('copy') ?? false
}
