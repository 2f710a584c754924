import { documentKey } from '@mnemark/spec'
import { languageOfTag } from '../../text/language-codes.ts'
import type { LoadedChunk } from './loaded-chunks.ts'

/** The page that a path names, and the language in the path; no language for the plain path. */
interface PageName {
  readonly page: string
  readonly language?: string
}

/**
 * Pages that a path may be a translation of: `docs/de/cors.md`, `docs/cors.de.md`, `docs/cors_de.md` and
 * `docs/cors/de.md` name the pages `docs/cors.md` and `docs/cors/.md`. Only the texts can tell: `team/it/x.md` names
 * `team/x.md` too.
 */
function pageNames(path: string): readonly PageName[] {
  const parts = path.normalize('NFC').replaceAll('\\', '/').split('/')
  const base = parts.at(-1) ?? ''
  const dot = base.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [base.slice(0, dot), base.slice(dot)] : [base, '']
  const folders = parts.slice(0, -1)
  const names: PageName[] = [{ page: path.normalize('NFC').replaceAll('\\', '/') }]
  const add = (tag: string, page: string): void => {
    const language = languageOfTag(tag)
    if (language !== undefined) names.push({ page, language })
  }
  folders.forEach((folder, at) => add(folder, [...folders.toSpliced(at, 1), base].join('/')))
  add(stem, [...folders, extension].join('/'))
  const suffix = /^(.+)[._-]([a-z]{2,3}(?:[-_](?:[a-z]{2}|hans|hant|latn|cyrl|\d{3}))?)$/i.exec(stem)
  if (suffix?.[1] !== undefined && suffix[2] !== undefined) add(suffix[2], [...folders, `${suffix[1]}${extension}`].join('/'))
  const region = /^(.+)[._-]([a-z]{2}[-_][a-z]{2,4})$/i.exec(stem)
  if (region?.[1] !== undefined && region[2] !== undefined) add(region[2], [...folders, `${region[1]}${extension}`].join('/'))
  return names
}

/** Documents whose paths name one page, each with the language in its path. */
export type PageGroup = readonly (readonly [document: string, claimed: string | undefined])[]

/** Possible translations of one another: documents that name one page, at least one with a language. */
export function translationGroups(candidates: readonly Pick<LoadedChunk, 'document'>[]): readonly PageGroup[] {
  const paths = new Map(candidates.map(({ document }) => [documentKey(document), document]))
  const groups = new Map<string, [string, string | undefined][]>()
  for (const [key, { source, path }] of paths) {
    for (const { page, language } of pageNames(path)) {
      const group = groups.get(`${source}\n${page}`)
      if (group === undefined) groups.set(`${source}\n${page}`, [[key, language]])
      else group.push([key, language])
    }
  }
  return [...groups.values()].filter((group) => group.length > 1 && group.some(([, claimed]) => claimed !== undefined))
}

/** Without any, nothing is read and no detector is loaded. */
export function mayHoldTranslations(candidates: readonly Pick<LoadedChunk, 'document'>[]): boolean {
  return translationGroups(candidates).length > 0
}
