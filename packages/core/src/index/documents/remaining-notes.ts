import type { DocumentId } from '@mnemark/spec'
import { documentKey } from '@mnemark/spec'
import type { Listing } from './list-sources.ts'

/** Listed documents whose current version is not in the index, counted. */
export interface Remaining {
  readonly listed: number
  /** Listed, but not in the index at all. */
  readonly missing: number
  /** In the index with an older version. */
  readonly outdated: number
  /** In the index, but gone from the source. */
  readonly removed: number
  /** Sources that could not be listed whole, with the reason. */
  readonly failedSources: Listing['failedSources']
}

/** Counts the work left from one look at the sources during a sync. */
export class RemainingNotes implements Remaining {
  readonly listed: number
  readonly removed: number
  readonly failedSources: Listing['failedSources']
  readonly #missing = new Set<string>()
  readonly #outdated = new Set<string>()

  constructor({ listed, removed, known, failedSources }: Listing, changed: readonly DocumentId[]) {
    this.listed = listed.length
    this.removed = removed.length
    this.failedSources = failedSources
    for (const id of changed) {
      const key = documentKey(id)
      if (known.has(key)) this.#outdated.add(key)
      else this.#missing.add(key)
    }
  }

  get missing(): number {
    return this.#missing.size
  }

  get outdated(): number {
    return this.#outdated.size
  }

  /** Counts documents as done: indexed, or known to fail. */
  done(ids: Iterable<DocumentId>): void {
    for (const id of ids) {
      const key = documentKey(id)
      this.#missing.delete(key)
      this.#outdated.delete(key)
    }
  }
}

/**
 * A description such as "184 of 604 notes are not indexed yet, 3 have changed since they were indexed"; null where
 * nothing remains.
 */
export function remainingText({ listed, missing, outdated, removed }: Omit<Remaining, 'failedSources'>): string | null {
  const parts = [
    ...(missing > 0 ? [`${missing} of ${listed} notes ${missing === 1 ? 'is' : 'are'} not indexed yet`] : []),
    ...(outdated > 0
      ? [`${notes(outdated, 'has', 'have')} changed since ${outdated === 1 ? 'it was' : 'they were'} indexed`]
      : []),
    ...(removed > 0 ? [`${notes(removed, 'is', 'are')} gone and still in the index`] : []),
  ]
  return parts.length === 0 ? null : parts.join(', ')
}

function notes(count: number, one: string, many: string): string {
  return count === 1 ? `1 note ${one}` : `${count} notes ${many}`
}
