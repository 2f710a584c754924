import type { ChunkAttributes, ChunkFilter, DocumentId, StoredChunk } from '@mnemark/spec'
import picomatch from 'picomatch'

export type ChunkMatcher = (document: DocumentId, chunk: Pick<StoredChunk, 'attributes' | 'labels'>) => boolean
type AttributeTest = (attributes: ChunkAttributes) => boolean

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The meaning of a ChunkFilter, written down in the README of this package. Throws TypeError for a day that is not YYYY-MM-DD. */
export function createChunkMatcher(filter: ChunkFilter): ChunkMatcher {
  const tests: ChunkMatcher[] = []
  const { sources, paths, excludePaths, kinds, sessions, audiences } = filter
  if (sources) tests.push((document) => sources.includes(document.source))
  if (paths) tests.push(pathTest(paths))
  if (excludePaths) {
    const isExcluded = pathTest(excludePaths)
    tests.push((document, chunk) => !isExcluded(document, chunk))
  }
  if (filter.entities) tests.push(labelTest(filter.entities, 'entities'))
  if (filter.tags) tests.push(labelTest(filter.tags, 'tags'))
  const ofAttributes: AttributeTest[] = dayTests(filter)
  if (kinds) ofAttributes.push(({ kind = 'note' }) => kinds.includes(kind))
  if (sessions) ofAttributes.push(({ session }) => session !== undefined && sessions.includes(session))
  if (audiences) ofAttributes.push(({ audience }) => audience !== undefined && audiences.includes(audience))
  tests.push((_, { attributes }) => ofAttributes.every((test) => test(attributes)))
  tests.push(...(filter.all ?? []).map(createChunkMatcher))
  return (document, chunk) => tests.every((test) => test(document, chunk))
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

function labelTest(wanted: readonly string[], name: 'entities' | 'tags'): ChunkMatcher {
  const keys = new Set(wanted)
  return (_, { labels }) => labels?.[name]?.some((label) => keys.has(label)) ?? false
}

function dayTests({ since, until, asOf }: ChunkFilter): AttributeTest[] {
  for (const day of [since, until, asOf]) {
    if (day !== undefined && !DAY.test(day)) throw new TypeError(`A day must be YYYY-MM-DD, got ${JSON.stringify(day)}.`)
  }
  const tests: AttributeTest[] = []
  if (since !== undefined) tests.push(({ from, to }) => (to ?? from ?? '') >= since)
  if (until !== undefined) {
    tests.push(({ from, to }) => {
      const first = from ?? to
      return first !== undefined && first <= until
    })
  }
  if (asOf !== undefined) tests.push(({ from, to }) => (from ?? to ?? '') <= asOf)
  return tests
}
