import type { ChunkAttributes, ChunkFilter, DocumentId, StoredChunk } from '@mnemark/spec'
import picomatch from 'picomatch'
import { assertDay } from '../argument-checks.ts'

/** Whether a chunk of a document passes a filter. */
export type ChunkMatcher = (document: DocumentId, chunk: Pick<StoredChunk, 'attributes' | 'labels'>) => boolean
type AttributeTest = (attributes: ChunkAttributes) => boolean

/** Implements ChunkFilter as the README of @mnemark/testkit defines it. Throws TypeError for a day that is not YYYY-MM-DD. */
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
  const matches = createPathMatcher(globs)
  return ({ path }) => matches(path)
}

/** `s`: a name may hold a line break. */
const OPTIONS = { dot: true, windows: false, flags: 's' }

/** Whether a glob matches a path, or is the path itself; see `paths` of ChunkFilter. */
export function createPathMatcher(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.map((glob) => glob.normalize('NFC'))
  const matchers = patterns.map((pattern) => picomatch(pattern, OPTIONS))
  return (path) => {
    const normalized = path.normalize('NFC')
    // A pattern that equals the path always matches, so that names with brackets or braces can be given literally.
    return patterns.includes(normalized) || matchers.some((matches) => matches(normalized))
  }
}

function labelTest(wanted: readonly string[], name: 'entities' | 'tags'): ChunkMatcher {
  const keys = new Set(wanted)
  return (_, { labels }) => labels?.[name]?.some((label) => keys.has(label)) ?? false
}

function dayTests({ since, until, asOf }: ChunkFilter): AttributeTest[] {
  for (const day of [since, until, asOf]) assertDay(day)
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
