import { documentKey } from '@mnemark/spec'
import { comparablePath, originalBeside } from '../../document/names/copy-name.ts'
import type { Candidate } from './candidate.ts'

/** How far a copy stands behind the best of its original, where its own words would put it before. */
const BEHIND = 0.999

/**
 * Of a note and a copy that a sync program made of it, the note comes first, whichever of the two has more of the words: the copy is what
 * lost the conflict. Only one that is asked for by its own name stays where it is.
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

/** By the name of its file: title and aliases it has from the original. */
function isNamedItself({ nameMatch }: Candidate): boolean {
  return nameMatch === 'stem' || nameMatch === 'name' || nameMatch === 'exact'
}

function isCopy({ chunk }: Candidate): boolean {
  return chunk.attributes.marks?.includes('copy') ?? false
}
