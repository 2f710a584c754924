import type { DocumentId } from '../document.ts'

/**
 * One string for a document's source, path and part, for use as the key of a map: equal ids have equal keys, and others
 * different ones, unless a source holds NUL. Not JSON, since a search makes thousands of them.
 */
export function documentKey({ source, path, part }: DocumentId): string {
  return `${source}\0${part ?? ''}\0${path}`
}
