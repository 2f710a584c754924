import { join } from 'node:path'
import type { QmdCollection } from '../collections/qmd-collection.ts'
import type { RegisteredCollection } from '../collections/register-collections.ts'
import type { RawResult } from '../parse/parse-results.ts'

/** The file of a result, as our paths name it. */
export interface ResultPlace {
  readonly collection: QmdCollection
  /** Below the collection's folder. */
  readonly path: string
  /** What answers call it. */
  readonly shown: string
}

/** Null for a collection that is not of ours, or a path that leaves it. */
export function placeOf(
  file: string,
  collections: readonly QmdCollection[],
  registered: readonly RegisteredCollection[],
): ResultPlace | null {
  const match = /^(?:qmd:)?\/*([^/]+)\/(.+?)(?:\?index=[\w%.-]+)?$/su.exec(file)
  const [name, path] = [match?.[1], match?.[2]]
  if (name === undefined || path === undefined) return null
  const asked = registered.find(({ as }) => as === name)?.name ?? name
  const collection = collections.find((candidate) => candidate.name === asked)
  if (collection === undefined || path.split('/').includes('..')) return null
  return { collection, path, shown: collection.prefix + path }
}

/**
 * Where the file of a shown path may lie, absolute: in the collection it names, or in those whose folder of the workspace it begins with.
 * Whether it may be read there is the reader's to say.
 */
export function absolutePlaces(shown: string, collections: readonly QmdCollection[]): readonly string[] {
  if (shown.split('/').includes('..')) return []
  return collections
    .filter(({ prefix }) => shown.startsWith(prefix))
    .map(({ folder, prefix }) => join(folder, shown.slice(prefix.length)))
}

/**
 * Versions before 2.5 or so know files by a name made plain (`memory/home-network.md` for `Memory/Home Network.md`): the one file of the
 * listing that has it. Null where none has, or several.
 */
export function realNameOf(place: ResultPlace, files: ReadonlyMap<string, string>): ResultPlace | null {
  const { collection, path } = place
  const start = `${collection.name}/`
  if (files.has(start + path)) return place
  const plain = plainName(path)
  const candidates = [...files.keys()].filter((file) => file.startsWith(start) && plainName(file.slice(start.length)) === plain)
  const real = candidates.length === 1 ? candidates[0]?.slice(start.length) : undefined
  return real === undefined ? null : { collection, path: real, shown: collection.prefix + real }
}

function plainName(path: string): string {
  const ending = /\.[a-z0-9]+$/i.exec(path)?.[0] ?? ''
  return path
    .slice(0, path.length - ending.length)
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('___', '/')
    .split('/')
    .map((name) => name.replaceAll(/[^\p{L}\p{N}$]+/gu, '-').replaceAll(/^-+|(?<!-)-+$/g, ''))
    .join('/')
    .concat(ending.toLowerCase())
}

export interface ResultLines {
  readonly from: number
  readonly lines: number
  /** What those lines hold, as far as the program shows it: cut short lines are left out. */
  readonly text: readonly string[]
}

const HEADER = /^(?:\d+: )?@@ -(\d+),(\d+) @@[^\n]*\n?/
/** Lines the program shows of a result. */
const USUAL_LINES = 4

/** The lines a result speaks of: its snippet begins with them in the form of a patch, else one line is named, else it is the beginning. */
export function linesOf({ snippet, line }: RawResult): ResultLines {
  const header = HEADER.exec(snippet)
  const text = snippet
    .slice(header?.[0].length ?? 0)
    .split('\n')
    .map((row) => row.replace('\uFEFF', '').trimEnd())
  const whole = /(?:\.\.\.|…)$/.test(text.at(-1) ?? '') ? text.slice(0, -1) : text
  if (header) return { from: Math.max(1, Number(header[1])), lines: Math.max(1, Number(header[2])), text: whole }
  return { from: line ?? 1, lines: USUAL_LINES, text: [] }
}
