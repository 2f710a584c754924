import type { DocumentId } from '@mnemark/spec'

/** One string for a document's source, path and part, for use as the key of a map; equal ids have equal keys. */
export function documentKey({ source, path, part }: DocumentId): string {
  return JSON.stringify([source, path, part ?? null])
}
