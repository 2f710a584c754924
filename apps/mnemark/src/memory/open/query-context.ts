import type { QueryContext } from '@mnemark/core/backend'
import type { DocumentSource } from '@mnemark/spec'

/** How days and places of a query are read: in the user's zone, from the folders of the notes. */
export function queryContext(place: {
  readonly timeZone: string | undefined
  readonly source?: Pick<DocumentSource, 'shownPath'>
}): QueryContext {
  return {
    nowMs: Date.now(),
    // Read only if a query names a day: asking the system for its zone takes 20 ms.
    get timeZone() {
      return place.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
    },
    shownPath: (path) => place.source?.shownPath?.(path),
  }
}
