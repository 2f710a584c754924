import assert from 'node:assert/strict'
import type { KeywordBlock, MemoryStore } from '@mnemark/spec'
import { bytesOf, sampleBlock, samplePut, sampleSegment } from './sample-data.ts'
import type { StoreCase } from './store-context.ts'
import { blocksOf, change, collect, isTypeError, read, withLease } from './store-context.ts'

function firstKeys(blocks: readonly KeywordBlock[]): string[] {
  return blocks.map(({ firstKey }) => firstKey)
}

async function segmentIds(store: MemoryStore): Promise<string[]> {
  return (await read(store, (snapshot) => snapshot.segments())).map(({ id }) => id).sort()
}

async function* stream(id: string, keys: Iterable<string>): AsyncGenerator<KeywordBlock> {
  for (const key of keys) yield sampleBlock(id, key)
}

function replace(store: MemoryStore, drop: readonly string[], id: string, blocks: AsyncIterable<KeywordBlock>): Promise<void> {
  return withLease(store, 'write', (lease) =>
    store.replaceSegments(lease, drop, { id, header: bytesOf(`header of ${id}`), blocks }),
  )
}

/** In the order of UTF-8 bytes; by UTF-16 units the emoji would come before the full-width and private ones. */
const BY_BYTES = ['', 'a', 'ab', 'b', 'é', '會', '\ue000', 'ﬀ', '\uffee', '🌸', '\u{10ffff}']

export const segmentCases: readonly StoreCase[] = [
  {
    id: 'G1',
    title: 'a key finds the last block whose first key is not above it, one answer per key in the order asked',
    async run(context) {
      const store = await context.create()
      await change(store, { segments: () => [sampleSegment('s', ['b', 'd', 'f']), sampleSegment('t', ['a'])] })
      await read(store, async (snapshot) => {
        const ask = async (...keys: string[]): Promise<string[]> => firstKeys(await blocksOf(snapshot, 's', keys))
        assert.deepEqual(await ask('b'), ['b'])
        assert.deepEqual(await ask('c', 'd', 'e'), ['b', 'd', 'd'])
        assert.deepEqual(await ask('zz', 'b\0'), ['f', 'b'])
        assert.deepEqual(await ask('a'), [], 'a key before the first block has none')
        assert.deepEqual(await ask('a', 'f', ''), ['f'])
        assert.deepEqual(await blocksOf(snapshot, 's', []), [])
        assert.deepEqual(await blocksOf(snapshot, 't', ['q']), [sampleBlock('t', 'a')])
        const both = await snapshot.blocks([
          { segment: 't', keys: ['q'] },
          { segment: 's', keys: ['c', 'a', 'zz'] },
          { segment: 't', keys: [] },
        ])
        assert.deepEqual(both.map(firstKeys), [['a'], ['b', 'f'], []], 'one answer for each request, in their order')
        assert.deepEqual(await snapshot.blocks([]), [])
      })
    },
  },
  {
    id: 'G2',
    title: 'keys are ordered by UTF-8 bytes, not by UTF-16 units',
    async run(context) {
      const store = await context.create()
      await change(store, { segments: () => [sampleSegment('s', BY_BYTES)] })
      await read(store, async (snapshot) => {
        assert.deepEqual(firstKeys(await collect(snapshot.scan('s'))), BY_BYTES)
        assert.deepEqual(firstKeys(await blocksOf(snapshot, 's', BY_BYTES)), BY_BYTES)
        assert.deepEqual(firstKeys(await blocksOf(snapshot, 's', ['\ufff0', '🌷', '🌹'])), ['\uffee', '\uffee', '🌸'])
      })
    },
  },
  {
    id: 'G3',
    title: 'a scan gives all blocks in order, or those from the block that would hold a key',
    async run(context) {
      const store = await context.create()
      const keys = Array.from({ length: 300 }, (_, index) => `k${String(index).padStart(3, '0')}`)
      await change(store, { segments: () => [sampleSegment('s', keys), sampleSegment('empty', [])] })
      await read(store, async (snapshot) => {
        assert.deepEqual(
          await collect(snapshot.scan('s')),
          keys.map((key) => sampleBlock('s', key)),
        )
        assert.deepEqual(firstKeys(await collect(snapshot.scan('s', 'k290x'))), keys.slice(290))
        assert.deepEqual(firstKeys(await collect(snapshot.scan('s', 'a'))), keys)
        assert.deepEqual(firstKeys(await collect(snapshot.scan('s', 'z'))), ['k299'])
        assert.deepEqual(await collect(snapshot.scan('empty', 'z')), [])
        assert.deepEqual(await blocksOf(snapshot, 'empty', ['z']), [])
      })
    },
  },
  {
    id: 'G4',
    title: 'headers and blocks keep their bytes, none, zeros and a megabyte alike',
    async run(context) {
      const store = await context.create()
      const large = Uint8Array.from({ length: 1_000_003 }, (_, index) => (index * 31) & 0xff)
      const blocks = [
        { firstKey: 'a', bytes: new Uint8Array(0) },
        { firstKey: 'b', bytes: new Uint8Array([0, 0, 255, 0]) },
        { firstKey: 'c', bytes: large },
      ]
      await change(store, {
        segments: () => [
          { id: 's', header: new Uint8Array([0, 1, 0]), blocks },
          { id: 'bare', header: new Uint8Array(0), blocks: [] },
        ],
      })
      await read(store, async (snapshot) => {
        const found = await collect(snapshot.scan('s'))
        // Compared in parts: showing the difference of two megabytes takes minutes.
        assert.deepEqual(
          found.map(({ bytes }) => bytes.length),
          blocks.map(({ bytes }) => bytes.length),
        )
        for (const [index, { bytes }] of blocks.entries())
          assert.ok(Buffer.compare(bytes, found[index]?.bytes ?? large) === 0, `block ${index} keeps its bytes`)
        const headers = new Map((await snapshot.segments()).map(({ id, header }) => [id, [...header]]))
        assert.deepEqual(
          headers,
          new Map([
            ['s', [0, 1, 0]],
            ['bare', []],
          ]),
        )
      })
    },
  },
  {
    id: 'G5',
    title: 'a merged segment takes the place of others in one step, while an older snapshot still reads the old ones',
    async run(context) {
      const store = await context.create()
      await change(store, {
        segments: () => [sampleSegment('one', ['a', 'c']), sampleSegment('two', ['b']), sampleSegment('three', ['z'])],
      })
      const older = await store.snapshot()
      const keys = Array.from({ length: 500 }, (_, index) => `m${String(index).padStart(4, '0')}`)
      await replace(store, ['one', 'two'], 'merged', stream('merged', keys))
      assert.deepEqual(await segmentIds(store), ['merged', 'three'])
      assert.deepEqual(firstKeys(await read(store, (snapshot) => collect(snapshot.scan('merged')))), keys)
      assert.deepEqual((await older.segments()).map(({ id }) => id).sort(), ['one', 'three', 'two'])
      assert.deepEqual(await collect(older.scan('one')), [sampleBlock('one', 'a'), sampleBlock('one', 'c')])
      assert.deepEqual(await blocksOf(older, 'two', ['q']), [sampleBlock('two', 'b')])
      older.release()
    },
  },
  {
    id: 'G6',
    title: 'nobody sees a merged segment before it is whole',
    async run(context) {
      const store = await context.create()
      await change(store, { segments: () => [sampleSegment('one', ['a'])] })
      const seen: string[][] = []
      const watched = async function* (): AsyncGenerator<KeywordBlock> {
        for (let index = 0; index < 200; index++) {
          if (index % 50 === 10) seen.push(await segmentIds(store))
          yield { firstKey: `m${String(index).padStart(4, '0')}`, bytes: new Uint8Array(20_000) }
        }
      }
      await replace(store, ['one'], 'merged', watched())
      assert.deepEqual(seen, [['one'], ['one'], ['one'], ['one']])
      assert.deepEqual(await segmentIds(store), ['merged'])
    },
  },
  {
    id: 'G7',
    title: 'a merge that fails half-way, or drops what is not there, changes nothing',
    async run(context) {
      const store = await context.create()
      await change(store, { segments: () => [sampleSegment('one', ['a'])] })
      const fault = new Error('merge failed')
      const broken = async function* (): AsyncGenerator<KeywordBlock> {
        yield* stream(
          'broken',
          Array.from({ length: 100 }, (_, index) => `m${String(index).padStart(4, '0')}`),
        )
        throw fault
      }
      await assert.rejects(
        () => replace(store, ['one'], 'broken', broken()),
        (error) => error === fault,
      )
      await assert.rejects(() => replace(store, ['one', 'absent'], 'wrong', stream('wrong', ['a'])), isTypeError)
      assert.deepEqual(await segmentIds(store), ['one'])
      assert.deepEqual(await read(store, (snapshot) => collect(snapshot.scan('one'))), [sampleBlock('one', 'a')])
      assert.equal((await store.check()).isHealthy, true)
    },
  },
  {
    id: 'G8',
    title: 'a segment id is never used twice, not even after its segment was dropped',
    async run(context) {
      const store = await context.create()
      await change(store, { segments: () => [sampleSegment('one', ['a']), sampleSegment('two', ['a'])] })
      await replace(store, ['one'], 'merged', stream('merged', ['a']))
      for (const id of ['one', 'two', 'merged']) {
        await assert.rejects(
          () => change(store, { put: [samplePut('a.md', 1)], segments: () => [sampleSegment(id, ['x'])] }),
          isTypeError,
          id,
        )
        await assert.rejects(() => replace(store, [], id, stream(id, ['x'])), isTypeError, id)
      }
      assert.deepEqual(await segmentIds(store), ['merged', 'two'])
      assert.equal((await read(store, (snapshot) => snapshot.counts())).documents, 0)
    },
  },
  {
    id: 'G9',
    title: 'blocks out of order, or two of one first key, are refused whole',
    async run(context) {
      const store = await context.create()
      for (const [index, keys] of [
        ['b', 'a'],
        ['a', 'a'],
        ['🌸', 'ﬀ'],
      ].entries()) {
        await assert.rejects(() => change(store, { segments: () => [sampleSegment(`s${index}`, keys)] }), isTypeError)
        await assert.rejects(() => replace(store, [], `r${index}`, stream('r', keys)), isTypeError)
      }
      assert.deepEqual(await segmentIds(store), [])
    },
  },
  {
    id: 'G10',
    title: 'a segment the snapshot does not know is a mistake, not an empty answer',
    async run(context) {
      const store = await context.create()
      await read(store, async (snapshot) => {
        await assert.rejects(() => blocksOf(snapshot, 'absent', ['k']), isTypeError)
        await assert.rejects(() => collect(snapshot.scan('absent')), isTypeError)
      })
    },
  },
]
