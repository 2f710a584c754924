import { entityKey, type ParsedDocument } from '@mnemark/core/document'
import type { StoredDocument } from '@mnemark/spec'
import { pageName } from '../retain/line/read-entity.ts'

/** The names a note gives to one thing: the thing's own page in the bank, or another page that a link may name. */
export interface EntityPage {
  readonly path: string
  /** Title, else file name. */
  readonly name: string
  /** Declared in its front matter. */
  readonly aliases: readonly string[]
  /** True below `bank/entities/`. */
  readonly isOwn: boolean
  /** `type:` of its front matter. */
  readonly type?: string
  /** Name of the entity that a merge left this page for: `redirect:` of its front matter. */
  readonly redirect?: string
}

const OWN = /^bank\/entities\/.+\.(?:md|markdown)$/i

export function entityPageOf(
  path: string,
  { isTitled, title, aliases, properties }: Pick<ParsedDocument, 'isTitled' | 'title' | 'aliases' | 'properties'>,
): EntityPage {
  const { type, redirect } = properties
  const isOwn = OWN.test(path.replaceAll('\\', '/'))
  return {
    path,
    name: (isTitled ? title : undefined) ?? pageName(path),
    aliases,
    isOwn,
    ...(type !== undefined && { type }),
    // Elsewhere the key means something else.
    ...(redirect !== undefined && isOwn && { redirect }),
  }
}

/** The same as the index keeps it: names of a list are told apart by commas and line ends alone. */
export function storedEntityPage({
  path,
  title,
  properties = {},
}: Pick<StoredDocument, 'path' | 'title' | 'properties'>): EntityPage {
  const valueOf = (name: string): string | undefined =>
    Object.entries(properties).find(([key]) => key.toLowerCase() === name)?.[1]
  const listed = [valueOf('aliases'), valueOf('alias')].flatMap((list) => list?.split(/[,\n]/) ?? [])
  const aliases = listed.map((alias) => alias.trim()).filter((alias) => alias !== '')
  return entityPageOf(path, { isTitled: true, aliases, properties, ...(title !== undefined && { title }) })
}

/** Every form in which the names of a page are compared; the hyphens of its file name stand for blanks too. */
export function keysOfPage({ path, name, aliases, redirect }: EntityPage): readonly string[] {
  const file = pageName(path)
  const names = [name, file, file.replaceAll('-', ' '), ...aliases, ...(redirect === undefined ? [] : [redirect])]
  return [...new Set(names.map(entityKey))].filter((key) => key !== '')
}
