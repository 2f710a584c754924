import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesUnder, readPackages } from '../workspace-packages.ts'

/** A package `embed-NAME` with the facts in its files. */
export interface Adapter {
  /** The name after `embed-`. */
  readonly name: string
  /** From the root: `packages/embed-voyage`. */
  readonly path: string
  /** The tests that run the provider contract, as paths from the root. */
  readonly suites: readonly string[]
  /** The reasons of the deviations that these tests declare. */
  readonly reasons: readonly string[]
  /** The example to run with a real account, as a path from the root; undefined if none calls a service. */
  readonly example: string | undefined
  /** The environment variables that the example needs: the provider's keys. */
  readonly keyVariables: readonly string[]
  /** The default model; undefined if one must be named. */
  readonly defaultModel: string | undefined
}

/** `{ id: 'E12', reason: '…' }`, over one line or several. */
const DEVIATION = /\bid: '[\w.-]+',\s*reason:\s*(?:'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`)/g
const PREFIX = 'embed-'
/** A variable that defaults to an empty text, as the examples read keys. */
const REQUIRED_VARIABLE = /process\.env\['(\w+)'\] \?\? ''/g
/** Every adapter there is, by name. */
export function findAdapters(root: string): readonly Adapter[] {
  return readPackages(root)
    .filter(({ kind, folder }) => kind === 'package' && folder.startsWith(PREFIX))
    .map(({ folder, path }) => {
      const read = (file: string): string => readFileSync(join(root, path, file), 'utf8')
      const tests = filesUnder(join(root, path, 'src'), '.test.ts').map((file) => `src/${file}`)
      const suites = tests.filter((file) => read(file).includes('describeEmbeddingProvider('))
      const examples = filesUnder(join(root, path, 'examples'), '.ts').map((file) => `examples/${file}`)
      const example = examples.find((file) => read(file).includes('await '))
      const variables = example === undefined ? [] : [...read(example).matchAll(REQUIRED_VARIABLE)].map((match) => match[1] ?? '')
      return {
        name: folder.slice(PREFIX.length),
        path,
        suites: suites.map((file) => `${path}/${file}`),
        reasons: suites.flatMap((file) => [...read(file).matchAll(DEVIATION)].map((match) => match.slice(1).join(''))),
        example: example === undefined ? undefined : `${path}/${example}`,
        keyVariables: [...new Set(variables)],
        defaultModel: existsSync(join(root, path, 'src/options.ts')) ? defaultModelOf(read('src/options.ts')) : undefined,
      }
    })
}

/** The default model, from the comment above the option `model`. */
function defaultModelOf(options: string): string | undefined {
  const [before, option] = options.split('readonly model?:')
  return option === undefined ? undefined : /Default `([^`]+)`/.exec(before?.slice(before.lastIndexOf('/**')) ?? '')?.[1]
}
