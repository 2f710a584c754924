import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { MemoryStore, VectorSpace } from '@mnemark/spec'
import { fingerprint } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { change, open, read, samplePut } from './__fixtures__/sample.ts'
import { temporaryPath } from './__fixtures__/temporary-path.ts'

// One file per released schema version, written by that version: each must open for ever.

const space: VectorSpace = { provider: 'p', endpoint: null, model: 'm', requestedDimensions: null, variant: {} }
const id = { source: 'memory', path: 'memory/2026-03-14.md' }

async function openKept(version: number): Promise<MemoryStore> {
  const path = temporaryPath()
  writeFileSync(path, gunzipSync(readFileSync(join(import.meta.dirname, '__fixtures__', `schema-${version}.sqlite.gz`))))
  return open(path)
}

test.each([1, 2, 3])('an index of schema version %i opens with everything in it, and can be written', async (version) => {
  const store = await openKept(version)
  await read(store, async (snapshot) => {
    expect(await snapshot.documentsOf([id])).toEqual([
      {
        ...id,
        size: 64,
        modifiedAtMs: 1773480413123.5,
        inode: '42',
        contentHash: 'c0ffee',
        recipe: 'r1',
        title: 'Pi day',
        from: '2026-03-14',
        to: '2026-03-14',
        dateReason: 'name',
        isEvergreen: false,
        properties: { status: 'open' },
      },
    ])
    const [chunk, stub] = await snapshot.chunksOf(id)
    expect(chunk).toEqual({
      id: 1,
      document: id,
      ordinal: 0,
      startLine: 3,
      endLine: 9,
      text: 'met Ann, قرر, 会议',
      headingTrail: ['Log', 'Morning'],
      attributes: { kind: 'experience', entities: ['Ann'], tags: ['work'], from: '2026-03-14', confidence: 0.85 },
      // Folded by the rules of this version; the next sync writes them again.
      labels: { entities: ['ANN'], tags: ['WORK'] },
      unindexed: [[0, 3]],
      inputs: ['h1', 'h2'],
    })
    expect(stub).toMatchObject({ id: 2, text: '', inputs: [] })
    expect(await snapshot.segments()).toEqual([{ id: 's1', header: new Uint8Array([1, 2]) }])
    expect(await snapshot.blocks([{ segment: 's1', keys: ['b', '🌹'] }])).toMatchObject([[{ firstKey: 'a' }, { firstKey: '🌸' }]])
    expect(await snapshot.spaces()).toMatchObject([{ space, dimensions: 2, filled: 1, missing: 0, failed: 1 }])
    const nearest = await snapshot.nearest(fingerprint(space), new Float32Array([0.6, 0.8]), {
      limit: 3,
      filter: { tags: ['WORK'] },
    })
    expect(nearest.map(({ chunkId }) => chunkId)).toEqual([1])
    expect(await snapshot.vectors(fingerprint(space), ['cached'])).toEqual(new Map([['cached', null]]))
  })
  expect(await store.jobs.list()).toMatchObject([{ marker: 'm1', state: 'submitted', inputs: ['h9'] }])
  expect(await store.settings.get('k')).toBe('v')
  await change(store, { put: [samplePut('new.md', 1)] })
  expect(await store.check()).toEqual({ isHealthy: true, problems: [], repaired: [] })
})

test('an index of the first version has the same answers after its migration, and keeps what it is written', async () => {
  const store = await openKept(1)
  const [before] = await read(store, (snapshot) => snapshot.chunks([1]))
  expect(before?.text).toBe('met Ann, قرر, 会议')
  await change(store, { remove: [id] })
  expect((await read(store, (snapshot) => snapshot.counts())).chunks).toBe(0)
  expect(await store.check()).toEqual({ isHealthy: true, problems: [], repaired: [] })
})
