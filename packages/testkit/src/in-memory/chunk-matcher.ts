import type { ChunkAttributes, ChunkFilter, DocumentId } from '@mnemark/spec'
import picomatch from 'picomatch'

export type ChunkMatcher = (document: DocumentId, attributes: ChunkAttributes) => boolean

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The meaning of a ChunkFilter, written down in the README of this package. Throws TypeError for a day that is not YYYY-MM-DD. */
export function createChunkMatcher(filter: ChunkFilter): ChunkMatcher {
  const tests: ChunkMatcher[] = []
  const { sources, paths, excludePaths, kinds, sessions, audiences } = filter
  if (sources) tests.push((document) => sources.includes(document.source))
  if (paths) tests.push(pathTest(paths))
  if (excludePaths) {
    const isExcluded = pathTest(excludePaths)
    tests.push((document, attributes) => !isExcluded(document, attributes))
  }
  if (kinds) tests.push((_, { kind }) => kind !== undefined && kinds.includes(kind))
  if (sessions) tests.push((_, { session }) => session !== undefined && sessions.includes(session))
  if (audiences) tests.push((_, { audience }) => audience !== undefined && audiences.includes(audience))
  if (filter.entities) tests.push(labelTest(filter.entities, (attributes) => attributes.entities))
  if (filter.tags) tests.push(labelTest(filter.tags, (attributes) => attributes.tags))
  tests.push(...dayTests(filter))
  return (document, attributes) => tests.every((test) => test(document, attributes))
}

function pathTest(globs: readonly string[]): ChunkMatcher {
  const patterns = globs.map((glob) => glob.normalize('NFC'))
  const matchers = patterns.map((pattern) => picomatch(pattern, { dot: true, windows: false }))
  return ({ path }) => {
    const normalized = path.normalize('NFC')
    // A pattern that is the path itself always matches, so that names holding brackets or braces can be asked for as they are.
    return patterns.includes(normalized) || matchers.some((matches) => matches(normalized))
  }
}

function labelTest(
  wanted: readonly string[],
  read: (attributes: ChunkAttributes) => readonly string[] | undefined,
): ChunkMatcher {
  const keys = new Set(wanted.map(labelKey))
  return (_, attributes) => read(attributes)?.some((label) => keys.has(labelKey(label))) ?? false
}

/** Lower, then upper case: `ß` and `SS`, final and inner sigma, the Kelvin sign and `k` become equal. */
function labelKey(label: string): string {
  return label.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC')
}

function dayTests({ since, until, asOf }: ChunkFilter): ChunkMatcher[] {
  for (const day of [since, until, asOf]) {
    if (day !== undefined && !DAY.test(day)) throw new TypeError(`A day must be YYYY-MM-DD, got ${JSON.stringify(day)}.`)
  }
  const tests: ChunkMatcher[] = []
  if (since !== undefined) tests.push((_, { from, to }) => (to ?? from ?? '') >= since)
  if (until !== undefined) {
    tests.push((_, { from, to }) => {
      const first = from ?? to
      return first !== undefined && first <= until
    })
  }
  if (asOf !== undefined) tests.push((_, { from, to }) => (from ?? to ?? '') <= asOf)
  return tests
}
