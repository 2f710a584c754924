// A separate process for the concurrency tests: `node store-process.ts TASK PATH NAME COUNT`. Starts on a line of input.
import { once } from 'node:events'
import type { Lease, MemoryStore } from '@mnemark/spec'
import { openSqliteStore } from '../index.ts'

const [task = '', path = '', name = '', count = '0'] = process.argv.slice(2)

const tasks: Record<string, () => Promise<void>> = { write, read, hold, merge, embed }
console.log('ready')
await once(process.stdin, 'data')
process.stdin.pause()
await tasks[task]?.()
process.exit(0)

async function lease(store: MemoryStore): Promise<Lease> {
  const given = await store.acquireLease('write', { signal: AbortSignal.timeout(60_000) })
  if (!given) throw new Error('no lease')
  return given
}

async function write(): Promise<void> {
  const store = await openSqliteStore({ path })
  for (let number = 0; number < Number(count); number++) {
    const held = await lease(store)
    const document = { source: 'memory', path: `${name}-${number}.md`, size: 1, modifiedAtMs: 1, contentHash: 'c', recipe: 'r', isEvergreen: false }
    const chunk = { document, ordinal: 0, startLine: 1, endLine: 1, text: name, headingTrail: [], attributes: {}, inputs: [`${name} ${number}`] }
    await store.apply(held, { put: [{ document, chunks: [chunk] }], touch: [], remove: [] })
    await held.release()
  }
  await store.close()
}

/** Reads until it has seen `count` documents; each answer must be whole and never smaller than the one before. */
async function read(): Promise<void> {
  const store = await openSqliteStore({ path })
  let last = 0
  let answers = 0
  while (last < Number(count)) {
    const snapshot = await store.snapshot()
    const { documents, chunks } = await snapshot.counts()
    snapshot.release()
    if (documents !== chunks || documents < last) throw new Error(`torn answer: ${documents} documents, ${chunks} chunks, ${last} before`)
    last = documents
    answers++
  }
  console.log(`answers ${answers}`)
  await store.close()
}

async function hold(): Promise<void> {
  const store = await openSqliteStore({ path })
  await lease(store)
  console.log('held')
  await new Promise((resolve) => setTimeout(resolve, 600_000))
}

/** Writes half a merge, then nothing. */
async function merge(): Promise<void> {
  const store = await openSqliteStore({ path })
  const held = await lease(store)
  const blocks = async function* () {
    for (let number = 0; number < 100; number++) yield { firstKey: `k${String(number).padStart(3, '0')}`, bytes: new Uint8Array(20_000) }
    console.log('held')
    await new Promise((resolve) => setTimeout(resolve, 600_000))
  }
  await store.replaceSegments(held, [name], { id: 'merged', header: new Uint8Array(1), blocks: blocks() })
}

/** Puts notes with their vectors, changes and removes them, and never stops: `round N` after each change. */
async function embed(): Promise<void> {
  const store = await openSqliteStore({ path })
  const space = { provider: 'p', endpoint: null, model: 'm', requestedDimensions: null, variant: {} }
  for (let round = 0; ; round++) {
    const document = { source: 'memory', path: `${round % 7}.md`, size: 1, modifiedAtMs: 1, contentHash: 'c', recipe: 'r', isEvergreen: false }
    const inputs = Array.from({ length: 60 }, (_, index) => `${round % 13} ${index}`)
    const chunks = inputs.map((input, ordinal) => ({ document, ordinal, startLine: 1, endLine: 1, text: 't', headingTrail: [], attributes: {}, inputs: [input] }))
    const held = await lease(store)
    const gone = { source: 'memory', path: `${(round + 3) % 7}.md` }
    await store.apply(held, { put: [{ document, chunks }], touch: [], remove: [gone] })
    const entries = inputs.map((hash, index) => ({ hash, vector: Float32Array.from({ length: 32 }, (_, at) => Math.cos(round + index * (at + 1))) }))
    await store.putVectors(held, space, entries)
    if (round % 5 === 0) await store.maintain(held, { maxUnreferencedVectors: 100 })
    await held.release()
    console.log(`round ${round}`)
  }
}
