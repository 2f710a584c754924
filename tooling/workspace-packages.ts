/** The packages and apps of this repository as their manifests describe them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const SCOPE = '@mnemark/'

export type JsonRecord = Readonly<Record<string, unknown>>

export interface WorkspacePackage {
  readonly kind: 'package' | 'app'
  /** Name of the folder: `core`, `store-sqlite`. */
  readonly folder: string
  /** Path from the root, with slashes: `packages/core`. */
  readonly path: string
  readonly directory: string
  readonly manifest: JsonRecord
}

const FOLDERS = { package: 'packages', app: 'apps' } as const satisfies Readonly<Record<WorkspacePackage['kind'], string>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The names a manifest lists under one of its dependency fields. */
export const dependencyNames = (manifest: JsonRecord, field: string): readonly string[] =>
  isRecord(manifest[field]) ? Object.keys(manifest[field]) : []

/** Throws an Error that names the file when it is not a JSON object. */
export function readManifest(directory: string): JsonRecord {
  const file = join(directory, 'package.json')
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Error(`${file} cannot be read as JSON`, { cause })
  }
  if (!isRecord(value)) throw new Error(`${file} must hold a JSON object`)
  return value
}

/** All folders of `packages/` and `apps/` with a manifest, sorted by path. A left-over folder without one is no package. */
export function readPackages(root: string): readonly WorkspacePackage[] {
  return (['package', 'app'] as const).flatMap((kind) => {
    const parent = join(root, FOLDERS[kind])
    if (!existsSync(parent)) return []
    return readdirSync(parent)
      .toSorted()
      .filter((folder) => existsSync(join(parent, folder, 'package.json')))
      .map((folder) => {
        const directory = join(parent, folder)
        return { kind, folder, path: `${FOLDERS[kind]}/${folder}`, directory, manifest: readManifest(directory) }
      })
  })
}

/** Files below a folder whose names end in `ending`, as sorted paths with slashes, but for installed packages; none where the folder is missing. */
export function filesUnder(directory: string, ending: string): readonly string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory, { withFileTypes: true })
    .flatMap((entry) => {
      if (entry.name === 'node_modules') return []
      if (entry.isDirectory()) return filesUnder(join(directory, entry.name), ending).map((file) => `${entry.name}/${file}`)
      return entry.isFile() && entry.name.endsWith(ending) ? [entry.name] : []
    })
    .toSorted()
}
