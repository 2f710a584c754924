import { expect, test } from 'vitest'
import { segmentsOf, type TestDocument } from '../../../test/keyword-segments.ts'
import { KeywordCache, KeywordReader } from '../read/keyword-reader.ts'
import { compileQuery } from './keyword-query.ts'
import { nameMatches } from './name-matches.ts'

function chunksOf(path: string, count: number): TestDocument[] {
  return Array.from({ length: count }, (_, ordinal) => ({
    text: 'entry',
    context: [],
    path,
    days: [],
    ordinal,
    ...(ordinal === 0 && { names: { titles: [path.replace(/^.*\//, '').replace(/\.md$/, '')], aliases: [] } }),
  }))
}

async function openReader(
  batches: readonly (readonly TestDocument[])[],
  removed: readonly number[] = [],
): Promise<KeywordReader> {
  const snapshot = await segmentsOf([...batches.map((documents) => ({ documents })), { documents: [], removed }])
  // The snapshot has no chunks, so a reader that needs one to find its file fails.
  return KeywordReader.open(
    { ...snapshot, segments: () => snapshot.segments(), blocks: (requests) => snapshot.blocks(requests) },
    new KeywordCache(),
  )
}

async function named(reader: KeywordReader, name: string, accepts?: (id: number) => boolean) {
  const { name: query } = compileQuery(name, { nowMs: 0, timeZone: 'UTC' })
  return [...(await nameMatches(reader, query, accepts)).keys()]
}

test.for([600, 60_000])(
  'P06: a file of %i chunks is found by its name at its beginning, and none of its chunks is read',
  async (count) => {
    const reader = await openReader([chunksOf('before.md', 3), [...chunksOf('MEMORY.md', count), ...chunksOf('after.md', 2)]])
    for (const name of ['MEMORY.md', 'memory', './MEMORY.md']) expect(await named(reader, name)).toEqual([4])
    // Otherwise the first chunk that passes the filter.
    expect(await named(reader, 'MEMORY.md', (id) => id > 500)).toEqual([501])
    expect(await named(reader, 'MEMORY.md', (id) => id < 3)).toEqual([])
  },
)

test('each file of a name has one chunk; an edited one counts as it is now', async () => {
  const files = Array.from({ length: 30 }, (_, at) => chunksOf(`${at}/README.md`, 4)).flat()
  const reader = await openReader([files, chunksOf('0/README.md', 2)], [1, 2, 3, 4])
  const all = await named(reader, 'README')
  expect(all).toHaveLength(30)
  expect(new Set(all.map((id) => Math.floor((id - 1) / 4))).size).toBe(30)
  expect((await named(reader, '0/README.md'))[0]).toBe(121)
})

test('of more files of one name than a habit has none leads but the one at the whole path', async () => {
  const files = Array.from({ length: 600 }, (_, at) => chunksOf(at === 599 ? 'README.md' : `${at}/README.md`, 1)).flat()
  const reader = await openReader([files])
  expect(await named(reader, 'README')).toEqual([])
  expect(await named(reader, 'README.md')).toEqual([600])
})
