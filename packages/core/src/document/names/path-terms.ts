import { eachRun } from '../../text/runs.ts'
import { analyseRunOnce, exactTerms, spellingTerms } from '../../text/analyse.ts'
import { readText } from '../../text/letters/read-text.ts'

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

/** Words of a path for partial matches: `%20` decoded, Logseq's `___` as a folder, the extension left out. */
export function pathWords(path: string): readonly string[] {
  const { path: normal, base, stem } = pathNames(path)
  const shown = decodePercent(normal.slice(0, normal.length - base.length) + stem).replaceAll('___', '/')
  const words = new Set<string>()
  for (const part of shown.split('/')) {
    eachRun(readText(part).text, (raw) => {
      const run = analyseRunOnce(raw)
      for (const term of [...exactTerms(run), ...spellingTerms(run)]) words.add(term)
    })
  }
  return [...words]
}

/** Decodes `%3A` to `:`; a bare percent sign, and bytes that are not UTF-8, stay as they are. */
export function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return encoded
    }
  })
}
