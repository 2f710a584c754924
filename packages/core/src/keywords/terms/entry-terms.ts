import type { ChunkDraft } from '../../chunk/chunk-document.ts'
import { entriesOf } from '../../repeats/entries.ts'
import { wordingHash, wordingOf } from '../../repeats/wording.ts'

/** Marks the term of a wording of which some entry begins with its own date: only then the days of entries are read. */
const HAS_OWN_DAYS = '!'
const ANY_DIGIT = /\p{Nd}/u

/** The term of all entries of a wording, and the one of those that begin with a date. */
export function wordingTerms(hash: string): { readonly all: string; readonly dated: string } {
  return { all: hash, dated: hash + HAS_OWN_DAYS }
}

/** The day in a term of a wording and a day, YYYY-MM-DD; undefined for the other terms of the wording. */
export function dayOfTerm(term: string, hash: string): string | undefined {
  const day = term.slice(hash.length)
  return /^\d/.test(day) ? day : undefined
}

/** Terms of the entries that begin in a chunk, one for each occurrence; the overlap with the chunk before is left out. */
export function entryTerms({ text, unindexed, ownOffset }: Pick<ChunkDraft, 'text' | 'unindexed' | 'ownOffset'>): string[] {
  // Most chunks of prose hold no value.
  if (!ANY_DIGIT.test(text)) return []
  return entriesOf(text, unindexed).flatMap((entry) => {
    const wording = entry.start < ownOffset ? undefined : wordingOf(entry.text)
    if (wording === undefined) return []
    const hash = wordingHash(wording)
    return wording.day === undefined ? [hash] : [hash, hash + HAS_OWN_DAYS, hash + wording.day]
  })
}
