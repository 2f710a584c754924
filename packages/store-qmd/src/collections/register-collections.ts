import { realpathSync, statSync } from 'node:fs'
import { BackendError } from '@mnemark/spec'
import type { UpdateCounts } from '../parse/parse-reports.ts'
import type { QmdProgram } from '../program/qmd-program.ts'
import type { QmdCollection } from './qmd-collection.ts'

/** A collection registered with the program. `as` is its name there, where ours was not possible. */
export interface RegisteredCollection {
  readonly name: string
  readonly folder: string
  readonly pattern: string
  readonly as: string
}
export interface Registration {
  readonly collections: readonly RegisteredCollection[]
  /** Documents indexed during registration. */
  readonly counts: UpdateCounts
  /** True where every collection was just read, because none existed before. */
  readonly isAllNew: boolean
}

export const NOTHING: UpdateCounts = { added: 0, updated: 0, unchanged: 0, removed: 0 }

interface Known {
  readonly name: string
  readonly pattern: string | null
  readonly folder: string | null
}

export interface RegistrationRequest {
  readonly wanted: readonly QmdCollection[]
  /** Collections we registered before: they are removed when no longer wanted. Others belong to the user and stay. */
  readonly earlier: readonly RegisteredCollection[]
  /** True where the program has not been used with this home, so it is not asked for collections. */
  readonly isFresh: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Brings the program's collections in line with `wanted`: an existing one for the same folder and pattern is renamed,
 * or used under its own name; one of ours with another meaning is registered again.
 */
export async function registerCollections(program: QmdProgram, request: RegistrationRequest): Promise<Registration> {
  const { signal, wanted, earlier, isFresh } = request
  const known = isFresh ? [] : await knownCollections(program, signal)
  const isAllNew = known.length === 0
  const collections: RegisteredCollection[] = []
  const added: QmdCollection[] = []
  const counts: UpdateCounts[] = []
  const isOurs = (name: string): boolean =>
    wanted.some((collection) => collection.name === name) || earlier.some((collection) => collection.as === name)
  for (const stale of known.filter(({ name }) => earlier.some((collection) => collection.as === name))) {
    if (wanted.some((collection) => isSame(stale, collection))) continue
    await program.removeCollection(stale.name, signal)
    known.splice(known.indexOf(stale), 1)
  }
  for (const collection of wanted) {
    const { name, folder, pattern } = collection
    const there = known.find((candidate) => isSame(candidate, collection))
    if (there) {
      collections.push({ name, folder, pattern, as: await adopt(program, { there, name, known, signal }) })
      continue
    }
    // The program refuses a missing folder; it is registered once it exists.
    if (!isFolder(folder)) continue
    const namesake = known.find((candidate) => candidate.name === name)
    if (namesake && isOurs(name)) await program.removeCollection(name, signal)
    counts.push((await program.addCollection(collection, signal)) ?? NOTHING)
    added.push(collection)
    collections.push({ name, folder, pattern, as: name })
  }
  if (added.length > 0) await checkAdded(program, added, signal)
  return { collections, counts: sum(counts), isAllNew }
}

async function knownCollections(program: QmdProgram, signal: AbortSignal | undefined): Promise<Known[]> {
  const known: Known[] = []
  for (const listed of await program.collections(signal)) {
    known.push({ ...listed, folder: await program.collectionFolder(listed.name, signal) })
  }
  return known
}

/** Versions that do not report the folder are trusted by name and pattern. */
function isSame(known: Known, wanted: QmdCollection): boolean {
  if (known.pattern !== null && known.pattern !== wanted.pattern) return false
  if (known.folder === null) return known.name === wanted.name
  return realPath(known.folder) === realPath(wanted.folder)
}

interface Adoption {
  readonly there: Known
  readonly name: string
  readonly known: readonly Known[]
  readonly signal: AbortSignal | undefined
}

/** Returns the resulting name. */
async function adopt(program: QmdProgram, { there, name, known, signal }: Adoption): Promise<string> {
  if (there.name === name || known.some((other) => other.name === name)) return there.name
  try {
    await program.renameCollection(there.name, name, signal)
    return name
  } catch (error) {
    signal?.throwIfAborted()
    if (!BackendError.isInstance(error)) throw error
    return there.name
  }
}

/** A version that lacks one of our options would index something else. */
async function checkAdded(program: QmdProgram, added: readonly QmdCollection[], signal: AbortSignal | undefined): Promise<void> {
  const listed = await program.collections(signal)
  for (const { name, pattern } of added) {
    const found = listed.find((collection) => collection.name === name)
    if (found !== undefined && (found.pattern === null || found.pattern === pattern)) continue
    const problem = found === undefined ? 'did not register it' : `registered it for ${found.pattern}`
    throw new BackendError('bad-output', `\`qmd collection add\` was told ${pattern} for ${name}, and ${problem}.`)
  }
}

function sum(counts: readonly UpdateCounts[]): UpdateCounts {
  const total = (read: (one: UpdateCounts) => number): number => counts.reduce((all, one) => all + read(one), 0)
  return {
    added: total((one) => one.added),
    updated: total((one) => one.updated),
    unchanged: total((one) => one.unchanged),
    removed: total((one) => one.removed),
  }
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
