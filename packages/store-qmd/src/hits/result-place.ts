import { join } from 'node:path'
import type { QmdCollection } from '../collections/qmd-collection.ts'
import type { RegisteredCollection } from '../collections/register-collections.ts'
import type { RawResult } from '../parse/parse-results.ts'

/** The file of a result under our path names. */
export interface ResultPlace {
  readonly collection: QmdCollection
  /** Path below the collection's folder. */
  readonly path: string
  /** Path as displayed in answers. */
  readonly shown: string
}

/** Null for a collection that is not ours, or a path that leaves it. */
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
 * Possible absolute paths of a displayed path: in the collection it names, or in those whose workspace folder it begins
 * with. The reader decides whether they may be read.
 */
export function absolutePlaces(shown: string, collections: readonly QmdCollection[]): readonly string[] {
  if (shown.split('/').includes('..')) return []
  return collections
    .filter(({ prefix }) => shown.startsWith(prefix))
    .map(({ folder, prefix }) => join(folder, shown.slice(prefix.length)))
}

/**
 * Versions before about 2.5 use simplified file names (`memory/home-network.md` for `Memory/Home Network.md`): returns
 * the one listed file with such a name. Null where there is none, or several.
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
  /** Text of those lines, as far as the program shows it: truncated lines are left out. */
  readonly text: readonly string[]
}

const HEADER = /^(?:\d+: )?@@ -(\d+),(\d+) @@[^\n]*\n?/
/** Lines that the program shows of a result. */
const USUAL_LINES = 4

/** Lines of a result: from the patch header of its snippet, else one given line, else the beginning. */
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
