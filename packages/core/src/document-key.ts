import type { DocumentId } from '@mnemark/spec'

/** One string per document, for maps. NUL cannot stand in a path. */
export function documentKey({ source, path, part }: DocumentId): string {
  return part === undefined ? `${source}\0${path}` : `${source}\0${path}\0${part}`
}
