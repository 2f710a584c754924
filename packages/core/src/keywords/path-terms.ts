import { eachRun } from '../text/runs.ts'
import { analyseRunOnce, exactTerms } from '../text/analyse.ts'

/** Names compare in NFC and lower case, with `/`; accents stay, since two notes may differ only in them. */
export function normalisePath(path: string): string {
  return path.normalize('NFC').replace(/\\/g, '/').replace(/^\.\//, '').trim().toLowerCase()
}

export interface PathNames {
  readonly path: string
  readonly base: string
  readonly stem: string
}

export function pathNames(path: string): PathNames {
  const normal = normalisePath(path)
  const base = normal.slice(normal.lastIndexOf('/') + 1)
  const dot = base.lastIndexOf('.')
  return { path: normal, base, stem: dot > 0 ? base.slice(0, dot) : base }
}

/** Beside its names, what tells the file at a path from others of that base name. */
export function exactPathTerm(normalPath: string): string {
  return `\u0001${normalPath}`
}

/** Words of a path for partial matches: `%20` decoded, `___` a folder as Logseq writes it, the extension left out. */
export function pathWords(path: string): readonly string[] {
  const { path: normal, base, stem } = pathNames(path)
  const shown = decodePercent(normal.slice(0, normal.length - base.length) + stem).replaceAll('___', '/')
  const words = new Set<string>()
  for (const part of shown.split('/')) {
    eachRun(part, (run) => {
      for (const term of exactTerms(analyseRunOnce(run))) words.add(term)
    })
  }
  return [...words]
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a bare percent sign is just a character of the name
  }
}
