import type { VectorSpace } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'
import { expect, onTestFinished, test } from 'vitest'
import { change, open, samplePut, take } from '../__fixtures__/sample.ts'
import { temporaryPath } from '../__fixtures__/temporary-path.ts'
import type { Connection } from '../connection/connection.ts'
import { Connections } from '../file/connections.ts'
import type { SpaceState } from './space-codes.ts'
import { VectorSearch } from './vector-search.ts'

const space: VectorSpace = { provider: 'p', endpoint: null, model: 'm', requestedDimensions: null, variant: {} }
const EAST = new Float32Array([1, 0, 0])
const NOTES = 12

interface Opened {
  readonly search: VectorSearch
  readonly connection: Connection
  /** One search for all of them; returns the number of hits. */
  readonly find: () => Promise<number>
}

/** A search over a filled file, whose background work calls `lendReader` instead of the real one. */
async function openSearch(lendReader: (connections: Connections) => Promise<Connection>): Promise<Opened> {
  const path = temporaryPath()
  const store = await open(path)
  await change(store, { put: Array.from({ length: NOTES }, (_, note) => samplePut(`${note}.md`, 1)) })
  const lease = await take(store, 'vectors')
  const entries = Array.from({ length: NOTES }, (_, note) => ({ hash: `${note}.md 0`, vector: EAST }))
  await store.putVectors(lease, space, entries)
  await lease.release()

  const connections = new Connections({ path, busyTimeoutMs: 1_000, isErasing: false })
  await connections.open()
  onTestFinished(() => connections.close())
  const connection = await connections.lendReader()
  const state = connection.row<SpaceState>('SELECT id, dimensions, generation, indexed FROM spaces')
  if (!state) throw new Error('the space was filled')
  const faulty = new Proxy(connections, {
    get(target, key) {
      if (key === 'lendReader') return () => lendReader(target)
      const member: unknown = Reflect.get(target, key, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  const search = new VectorSearch(faulty, 1_000_000)
  const request = { space: state, file: connections.fileGeneration, vector: EAST, limit: 100, matching: null, signal: undefined }
  return { search, connection, find: async () => (await search.nearest((work) => work(connection), request)).length }
}

function watchRejections(): unknown[] {
  const rejections: unknown[] = []
  const note = (reason: unknown): void => void rejections.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  return rejections
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test.for([
  ['of the store', new StoreError('corrupt', 'the disk lies'), null],
  ['of memory', new RangeError('Array buffer allocation failed'), 'Array buffer allocation failed'],
  ['of our own', new TypeError('no such member'), 'no such member'],
  ['that is no error', 'odd', 'odd'],
] as const)('P08: a fault %s while codes are warmed is no unhandled rejection, and searches go on', async ([, fault, shown]) => {
  const rejections = watchRejections()
  const { search, connection, find } = await openSearch(() => Promise.reject(fault))
  for (let time = 0; time < 4; time++) {
    expect(await find()).toBe(NOTES)
    await turns(3)
  }
  expect(search.describe(connection).spaces).toMatchObject([{ inMemory: NOTES, warm: 0, warmingFailure: shown }])
  await search.close()
  await turns(3)
  expect(rejections).toEqual([])
})

test('P08: closing in the middle of the warming rejects nothing', async () => {
  const rejections = watchRejections()
  for (const lend of [
    async (connections: Connections) => (await turns(2), connections.lendReader()),
    async () => (await turns(2), Promise.reject(new TypeError('closed under it'))),
  ]) {
    const { search, find } = await openSearch(lend)
    for (let time = 0; time < 3; time++) await find()
    await search.close()
    await turns(3)
  }
  expect(rejections).toEqual([])
})
