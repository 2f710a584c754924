/**
 * `pnpm new:store NAME` writes packages/store-NAME: the store of `examples/custom-store` under another name, documents and keywords on a
 * plain key-value file. It is green at once; what is left is to put the real engine where that file is.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type NewPackage, type PackageFile, type PackageKind, runNewPackage, writePackage } from './write-package.ts'

const EXAMPLE = join(import.meta.dirname, '../../examples/custom-store')
const SOURCES = ['apply-changes.ts', 'key-value-file.ts', 'key-value-store.ts', 'key-value-store.test.ts', 'snapshot.ts']
/** Names in the example, and their replacement in a template. */
const NAMES: readonly (readonly [string, string])[] = [
  ['createKeyValueStore', 'create{{type}}Store'],
  ['key-value-store', '{{name}}-store'],
  ["'key-value'", "'{{name}}'"],
  ["'key-value-'", "'{{name}}-'"],
  ['A store on a plain key-value file', 'The store of {{title}}, on a plain key-value file as yet'],
]

const STORE: PackageKind = {
  word: 'store',
  prefix: 'store-',
  templates: join(import.meta.dirname, 'new-store'),
  dependencies: ['spec', 'store-kit'],
  guide: 'docs/add-a-store.md',
  steps: (name) => [
    'pnpm install',
    `pnpm run test:unit packages/store-${name}: it is green`,
    `put the engine where packages/store-${name}/src/key-value-file.ts is, and keep it green; further levels come one by one`,
    `pnpm api:update, which writes packages/store-${name}/api.md`,
  ],
}

/** Writes the package and its changeset; returns the files, as paths from the root. Throws NewPackageError before the first of them. */
export function writeNewStore(place: NewPackage): readonly string[] {
  return writePackage(STORE, { ...place, files: SOURCES.map(sourceFile) })
}

function sourceFile(file: string): PackageFile {
  const named = (text: string): string => NAMES.reduce((each, [from, to]) => each.replaceAll(from, to), text)
  return { path: `src/${named(file)}`, text: named(readFileSync(join(EXAMPLE, file), 'utf8')) }
}

if (import.meta.main) runNewPackage(STORE, process.argv.slice(2), writeNewStore)
