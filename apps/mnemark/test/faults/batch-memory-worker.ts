// A process that fills the vectors of an index by one batch job and nothing else, and says how much memory that took: `node
// batch-memory-worker.ts FILE BASE_URL`.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type BatchSource, runBatches } from '@mnemark/core/embed'
import { fingerprint, type MemoryStore, type MissingInput, type VectorSpace } from '@mnemark/spec'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { BATCH_SERVICES } from './batch-services.ts'

export interface MemoryReport {
  readonly filled: number
  /** Megabytes above those of the idle process, at the most. */
  readonly peakMegabytes: number
}

const MEGABYTE = 2 ** 20
const PAGE = 512
const [file = '', baseUrl = ''] = process.argv.slice(2)
const provider = BATCH_SERVICES['openai-full']?.create(baseUrl)
if (provider === undefined) throw new TypeError('no service')
const store = await openSqliteStore({ path: file })
const lease = await store.acquireLease('vectors')
if (lease === null) throw new Error('the lease is held')

setFlagsFromString('--expose-gc')
// Safe: the flag above makes this function.
const collectGarbage = runInNewContext('gc') as () => void
collectGarbage()
const idle = process.memoryUsage().rss
let peak = idle
const watching = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss)
}, 5)
const settings = { pollIntervalMs: 1 }
const { filled } = await runBatches({ provider, store, lease, settings, source: sourceOf(store, provider.space) })
clearInterval(watching)
await store.close()
const report: MemoryReport = { filled, peakMegabytes: Math.round((peak - idle) / MEGABYTE) }
process.stdout.write(`${JSON.stringify(report)}\n`)

/** Texts without headings: a chunk's text is its input. */
function sourceOf(from: MemoryStore, space: VectorSpace): BatchSource {
  const read = async (inputs: readonly MissingInput[]) => {
    const now = await from.snapshot()
    const chunks = new Map((await now.chunks(inputs.map(({ chunkId }) => chunkId))).map((chunk) => [chunk.id, chunk.text]))
    now.release()
    return inputs.map((input) => ({ ...input, input: { type: 'text', text: chunks.get(input.chunkId) ?? '' } as const }))
  }
  return {
    async *missing() {
      for (let after = ''; ; ) {
        const now = await from.snapshot()
        const page = await now.missingInputs(fingerprint(space), { limit: PAGE, ...(after !== '' && { after }) })
        now.release()
        if (page.length === 0) return
        after = page.at(-1)?.hash ?? ''
        yield* await read(page)
      }
    },
    async *read(inputs) {
      for (let at = 0; at < inputs.length; at += PAGE) yield* await read(inputs.slice(at, at + PAGE))
    },
  }
}
