/** Writes a new package from templates: what `pnpm new:provider` and `pnpm new:store` share. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { allowedDependencies } from '../package-rules.ts'
import { filesUnder } from '../workspace-packages.ts'

const ENDING = '.template'
const CHANGESET = 'changeset.md'
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
/** Longer names would not fit into the lines of the templates. */
const MAX_NAME_LENGTH = 24

/** A kind of package that a command can create. */
export interface PackageKind {
  /** `provider`, `store`: the command is `pnpm new:` and this word. */
  readonly word: string
  /** The prefix of the package's name: `embed-`. */
  readonly prefix: string
  /** The folder of its templates. */
  readonly templates: string
  /** The packages of ours that it depends on. */
  readonly dependencies: readonly string[]
  /** The page that explains the next steps. */
  readonly guide: string
  /** Steps left to do by hand once the package exists, in order. */
  readonly steps: (name: string) => readonly string[]
}

export interface NewPackage {
  /** The root of the repository to write to. */
  readonly root: string
  /** The package's name after the prefix. */
  readonly name: string
  /** `2026-11`: when it was begun. */
  readonly month: string
  /** Files of the package beside those of the templates. */
  readonly files?: readonly PackageFile[]
}

/** A file by its path in the package. */
export interface PackageFile {
  readonly path: string
  readonly text: string
}

/** An invalid name, or an existing folder. Nothing was written. */
export class NewPackageError extends Error {
  override name = 'NewPackageError'
}

/** Writes the package and its changeset; returns the files, as paths from the root. Throws NewPackageError before the first of them. */
export function writePackage(kind: PackageKind, { root, name, month, files: more = [] }: NewPackage): readonly string[] {
  checkName(kind, name)
  const words = { name, month, ...namesOf(name) }
  const folder = `packages/${kind.prefix}${name}`
  const placeOf = (file: string): string =>
    file === CHANGESET ? `.changeset/${kind.prefix}${name}.md` : `${folder}/${filled(file, words)}`
  const templates = filesUnder(kind.templates, ENDING).map((template) => ({
    path: template.slice(0, -ENDING.length),
    text: readFileSync(join(kind.templates, template), 'utf8'),
  }))
  const files = [...templates, ...more].map(({ path, text }) => ({ path: placeOf(path), text: filled(text, words) }))
  const taken = [folder, placeOf(CHANGESET)].find((path) => existsSync(join(root, path)))
  if (taken !== undefined) throw new NewPackageError(`${taken} is there already. Remove it, or choose another name.`)
  for (const { path, text } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    // Fails for a file that was created meanwhile.
    writeFileSync(join(root, path), text, { flag: 'wx' })
  }
  return files.map(({ path }) => path)
}

function checkName({ prefix, word }: PackageKind, name: string): void {
  if (name.startsWith(prefix))
    throw new NewPackageError(`${prefix} is put in front of the name: pnpm new:${word} ${name.slice(prefix.length)}`)
  if (!NAME.test(name) || name.length > MAX_NAME_LENGTH)
    throw new NewPackageError(
      `${JSON.stringify(name)} cannot be the name of a ${word}: 1 to ${MAX_NAME_LENGTH} of a-z and 0-9, a letter first, words joined by "-".`,
    )
}

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/** `two-words` as it stands in prose, in types and in constants. */
function namesOf(name: string): { readonly title: string; readonly type: string; readonly constant: string } {
  const words = name.split('-')
  return {
    title: words.map(capitalised).join(' '),
    type: words.map(capitalised).join(''),
    constant: words.join('_').toUpperCase(),
  }
}

const filled = (template: string, words: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (mark, word: string) => words[word] ?? mark)

/** The command: prints what it wrote and what is left to do. Exit code 2, and no stack, for a name that cannot be taken. */
export function runNewPackage(
  kind: PackageKind,
  commandLine: readonly string[],
  write: (place: Pick<NewPackage, 'root' | 'name' | 'month'>) => readonly string[],
): void {
  const { word, prefix } = kind
  const [name, ...rest] = commandLine
  if (name === undefined || rest.length > 0) {
    console.error(`Usage: pnpm new:${word} NAME\n\nWrites packages/${prefix}NAME. See ${kind.guide}.`)
    process.exitCode = 2
    return
  }
  try {
    const root = join(import.meta.dirname, '../..')
    for (const path of write({ root, name, month: new Date().toISOString().slice(0, 7) })) console.log(path)
    console.log(`\nNext:\n${[...naming(kind, name), ...kind.steps(name)].map((step, at) => `${at + 1}. ${step}`).join('\n')}`)
  } catch (error) {
    if (!(error instanceof NewPackageError)) throw error
    console.error(`new:${word}: ${error.message}`)
    process.exitCode = 2
  }
}

function naming({ prefix, dependencies }: PackageKind, name: string): readonly string[] {
  if (allowedDependencies(prefix + name, false) !== undefined) return []
  const list = dependencies.map((each) => `'${each}'`).join(', ')
  return [`name it in tooling/package-rules.ts: '${prefix}${name}': [${list}],`]
}
