/**
 * `pnpm new:provider NAME` writes packages/embed-NAME from the templates in `new-provider/`: a whole provider for an imaginary
 * service. It is green at once; what is left is to make it that of the real one.
 */
import { join } from 'node:path'
import { type NewPackage, type PackageKind, runNewPackage, writePackage } from './write-package.ts'

const PROVIDER: PackageKind = {
  word: 'provider',
  prefix: 'embed-',
  templates: join(import.meta.dirname, 'new-provider'),
  dependencies: ['spec', 'provider-kit'],
  guide: 'docs/add-a-provider.md',
  steps: (name) => [
    'pnpm install',
    `pnpm run test:unit packages/embed-${name}: it is green`,
    `make the request in packages/embed-${name}/src/create.ts that of the service, and the service's side in create.test.ts, and keep it green`,
    `pnpm api:update, which writes packages/embed-${name}/api.md`,
  ],
}

/** Writes the package and its changeset; returns the files, as paths from the root. Throws NewPackageError before the first of them. */
export function writeNewProvider(place: NewPackage): readonly string[] {
  return writePackage(PROVIDER, place)
}

if (import.meta.main) runNewPackage(PROVIDER, process.argv.slice(2), writeNewProvider)
