import type { DocumentId } from '@mnemark/spec'
import { documentKey } from '@mnemark/spec'
import type { Listing } from './list-sources.ts'

/** What of the listed documents the index does not have as they are now. */
export interface Remaining {
  readonly listed: number
  /** Listed and not in the index at all. */
  readonly missing: number
  /** In the index as they were before they changed. */
  readonly outdated: number
  /** In the index and gone from the source. */
  readonly removed: number
  /** Sources that could not be listed whole, with the reason. */
  readonly failedSources: Listing['failedSources']
}

/** Counts what remains of one look at the sources while a sync works it off. */
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

  /** They are in the index as they are, or known not to get there. */
  done(ids: Iterable<DocumentId>): void {
    for (const id of ids) {
      const key = documentKey(id)
      this.#missing.delete(key)
      this.#outdated.delete(key)
    }
  }
}

/** In words, such as "184 of 604 notes are not indexed yet, 3 have changed since they were indexed"; null where nothing remains. */
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
