import type { Workspace } from '@mnemark/workspace'

/** Paths of notes whose name, or a part of it, is most like the requested one, nearest first; three at most. */
export async function nearNotes({ source }: Pick<Workspace, 'source'>, asked: string): Promise<readonly string[]> {
  const { nearNames } = await import('@mnemark/core/near-names')
  const paths: string[] = []
  try {
    for await (const item of source.list()) if (!('skipped' in item)) paths.push(item.path)
  } catch {
    // The notes listed so far may include it; `status` reports folders that cannot be listed.
  }
  return nearNames(nameOf(asked), paths)
}

/** The last part of a path or citation: it is right even if the folder is misspelt. */
function nameOf(place: string): string {
  const path = place.replace(/(?:#L\d+(?:-L\d+)?|:\d+)$/, '')
  return path.split('/').findLast((part) => part !== '') ?? path
}
