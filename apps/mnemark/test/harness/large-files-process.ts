// Runs under a small heap: syncs a workspace with a note too large to index and a file that grows and is listed in parts.
import { appendFileSync, closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createMemory } from '@mnemark/core'
import type { DocumentSource, DocumentStat } from '@mnemark/spec'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { openWorkspace } from '@mnemark/workspace'

const PART_BYTES = 1_000_000
const PARTS = 60
const HUGE_BYTES = 200_000_000

/** A file of `bytes` in lines of ASCII, written piece by piece. */
function writeLines(file: string, bytes: number, line: (at: number) => string): void {
  const descriptor = openSync(file, 'w')
  let [written, at] = [0, 0]
  while (written < bytes) {
    let piece = ''
    while (piece.length < 500_000) piece += line(at++)
    written += writeSync(descriptor, piece)
  }
  closeSync(descriptor)
}

/** The growing file as documents of whole lines, a million bytes each; only the last one changes when lines are added. */
function partSource(file: string, reads: number[]): DocumentSource {
  const bytesOf = (part: number) => {
    const descriptor = openSync(file, 'r')
    const bytes = Buffer.alloc(PART_BYTES)
    const length = readSync(descriptor, bytes, 0, PART_BYTES, part * PART_BYTES)
    closeSync(descriptor)
    return bytes.subarray(0, length)
  }
  return {
    id: 'log',
    async *list() {
      const descriptor = openSync(file, 'r')
      const { size } = fstatSync(descriptor)
      closeSync(descriptor)
      for (let part = 0; part * PART_BYTES < size; part += 1) {
        const length = Math.min(PART_BYTES, size - part * PART_BYTES)
        const stat: DocumentStat = {
          source: 'log',
          path: 'growing.md',
          part,
          size: length,
          modifiedAtMs: 0,
          version: `${length}`,
        }
        yield stat
      }
    },
    async read({ part = 0 }) {
      reads.push(part)
      return { text: bytesOf(part).toString('latin1') }
    },
  }
}

const [folder = ''] = process.argv.slice(2)
const growing = join(folder, 'growing.log')
// Lines of 100 bytes, so that parts end where lines do.
const logLine = (at: number) =>
  `${at} room ${at % 997} was visited by number ${at % 89} of shift ${at % 7}`.padEnd(99, '.').concat('\n')
writeLines(join(folder, 'memory', 'huge.md'), HUGE_BYTES, (at) => `line ${at + 1} of a note that is too large\n`)
writeLines(growing, (PARTS - 0.5) * PART_BYTES, logLine)

const notes = await openWorkspace({ root: folder })
const reads: number[] = []
const memory = await createMemory({
  store: await openSqliteStore({ path: join(folder, 'index.sqlite') }),
  sources: [notes.source, partSource(growing, reads)],
  reader: notes.reader,
})
const first = await memory.sync()
reads.length = 0
appendFileSync(growing, 'ZEBRA-COMET was seen at the gate\n')
const second = await memory.sync()
const caller = { agentId: 'main' }
const found = await memory.search({ text: 'ZEBRA-COMET', caller, limit: 1 })
const read = await memory.read({ path: 'memory/huge.md', from: 2, lines: 2, caller })
console.log(
  JSON.stringify({
    first,
    second,
    reads,
    hit: found.hits[0]?.path,
    text: read.text,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
  }),
)
await memory.close()
