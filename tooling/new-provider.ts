/**
 * `pnpm new:provider NAME` writes packages/embed-NAME from the templates in `new-provider/`: a whole provider for an imaginary
 * service. It is green at once; what is left is to make it that of the real one.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { allowedDependencies } from './package-rules.ts'
import { filesUnder } from './workspace-packages.ts'

const TEMPLATES = join(import.meta.dirname, 'new-provider')
const ENDING = '.template'
const CHANGESET = 'changeset.md'
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
/** Longer ones would not fit into the lines of the templates. */
const MAX_NAME_LENGTH = 24

export interface NewProvider {
  /** The root of the repository to write to. */
  readonly root: string
  /** What follows `embed-` in the package's name. */
  readonly name: string
  /** `2026-11`: when the table of models was begun. */
  readonly month: string
}

/** A name that cannot be taken, or a folder that is there. Nothing was written. */
export class NewProviderError extends Error {
  override name = 'NewProviderError'
}

/** Writes the package and its changeset; returns the files, as paths from the root. Throws NewProviderError before the first of them. */
export function writeNewProvider({ root, name, month }: NewProvider): readonly string[] {
  checkName(name)
  const words = { name, month, ...namesOf(name) }
  const files = filesUnder(TEMPLATES, ENDING).map((template) => ({
    path: placeOf(template.slice(0, -ENDING.length), name),
    text: filled(readFileSync(join(TEMPLATES, template), 'utf8'), words),
  }))
  const taken = [`packages/embed-${name}`, placeOf(CHANGESET, name)].find((path) => existsSync(join(root, path)))
  if (taken !== undefined) throw new NewProviderError(`${taken} is there already. Remove it, or choose another name.`)
  for (const { path, text } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    // Never over a file that came into being meanwhile.
    writeFileSync(join(root, path), text, { flag: 'wx' })
  }
  return files.map(({ path }) => path)
}

function checkName(name: string): void {
  if (name.startsWith('embed-'))
    throw new NewProviderError(`embed- is put in front of the name: pnpm new:provider ${name.slice('embed-'.length)}`)
  if (!NAME.test(name) || name.length > MAX_NAME_LENGTH)
    throw new NewProviderError(
      `${JSON.stringify(name)} cannot be the name of a provider: 1 to ${MAX_NAME_LENGTH} of a-z and 0-9, a letter first, words joined by "-".`,
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

const placeOf = (file: string, name: string): string =>
  file === CHANGESET ? `.changeset/embed-${name}.md` : `packages/embed-${name}/${file}`

const filled = (template: string, words: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (mark, word: string) => words[word] ?? mark)

/** What is left to do, in order. */
const nextSteps = (name: string): readonly string[] => [
  ...(allowedDependencies(`embed-${name}`, false) === undefined
    ? [`name it in tooling/package-rules.ts: 'embed-${name}': ['spec', 'provider-kit'],`]
    : []),
  'pnpm install',
  `pnpm run test:unit packages/embed-${name}: it is green`,
  `make the request in packages/embed-${name}/src/create.ts that of the service, and the service's side in create.test.ts, and keep it green`,
  `pnpm api:update, which writes packages/embed-${name}/api.md`,
]

function main(commandLine: readonly string[]): void {
  const [name, ...rest] = commandLine
  if (name === undefined || rest.length > 0) {
    console.error('Usage: pnpm new:provider NAME\n\nWrites packages/embed-NAME. See docs/add-a-provider.md.')
    process.exitCode = 2
    return
  }
  try {
    const root = dirname(import.meta.dirname)
    for (const path of writeNewProvider({ root, name, month: new Date().toISOString().slice(0, 7) })) console.log(path)
    console.log(
      `\nNext:\n${nextSteps(name)
        .map((step, index) => `${index + 1}. ${step}`)
        .join('\n')}`,
    )
  } catch (error) {
    if (!(error instanceof NewProviderError)) throw error
    console.error(`new:provider: ${error.message}`)
    process.exitCode = 2
  }
}

if (import.meta.main) main(process.argv.slice(2))
