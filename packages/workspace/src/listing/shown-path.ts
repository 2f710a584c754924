import { expandHome } from '../paths/extra-paths.ts'
import type { RootsSnapshot } from './roots-snapshot.ts'

/**
 * The path under which a place on disk is listed, by its configured or its real name; '' for the workspace folder itself,
 * undefined outside every root. The disk is not read: the place may be a glob, or missing.
 */
export function shownPath(place: string, { roots }: RootsSnapshot): string | undefined {
  const wanted = slashed(expandHome(place))
  // Where roots are nested, the innermost decides how its notes are shown.
  const inside = roots
    .flatMap(({ prefix, base, realBase }) =>
      [...new Set([base, realBase])].map((folder) => ({ prefix, folder: slashed(folder) })),
    )
    .filter(({ folder }) => wanted === folder || wanted.startsWith(`${folder}/`))
    .sort((left, right) => right.folder.length - left.folder.length)[0]
  if (inside === undefined) return undefined
  const rest = wanted.slice(inside.folder.length + 1)
  return rest === '' ? inside.prefix : inside.prefix + rest
}

function slashed(path: string): string {
  const forward = path.replaceAll('\\', '/')
  return forward.length > 1 ? forward.replace(/(?<!\/)\/+$/, '') : forward
}
