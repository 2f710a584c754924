import { setImmediate as nextTurn } from 'node:timers/promises'
import { BestSlots } from './best-slots.ts'
import { BLOCK_SLOTS } from './code-blocks.ts'
import type { CodeFrame, CodeMemory, EncodedQuery } from './code-memory.ts'
import type { CandidateCounts } from './scan-strategy.ts'
import { assertNotAborted } from './values.ts'

/** After so long the scan lets other work of the process run. */
const SLICE_MS = 4
const FRAMES_A_LOOK = 32

export interface CodeScan {
  readonly memory: CodeMemory
  readonly frames: readonly CodeFrame[]
  readonly query: EncodedQuery
  readonly counts: CandidateCounts
  readonly isWanted: (input: number) => boolean
  readonly signal: AbortSignal | undefined
}

export interface Candidate {
  /** Row of the vector. */
  readonly id: number
  readonly input: number
}

export interface Candidates {
  readonly found: readonly Candidate[]
  /** Whether there is no wanted vector besides them. */
  readonly areAll: boolean
}

/** The vectors whose codes are nearest to the query's, in no order. */
export async function findCandidates(scan: CodeScan): Promise<Candidates> {
  const { memory, frames, counts, signal } = scan
  const bestBytes = new BestSlots(counts.bytes)
  const bestSigns = new BestSlots(counts.signs)
  let start = performance.now()
  memory.setQuery(scan.query)
  for (const [number, frame] of frames.entries()) {
    if (frame.bytes) offerProducts(scan, frame, number, bestBytes)
    else offerDistances(scan, frame, number, bestSigns)
    if (number % FRAMES_A_LOOK < FRAMES_A_LOOK - 1 || performance.now() - start < SLICE_MS) continue
    await nextTurn()
    assertNotAborted(signal)
    memory.setQuery(scan.query)
    start = performance.now()
  }
  const found = [...bestBytes.items, ...bestSigns.items].map((item) => candidateAt(frames, item))
  return { found, areAll: !bestBytes.isFull && !bestSigns.isFull }
}

function offerProducts({ memory, isWanted }: CodeScan, frame: CodeFrame, number: number, best: BestSlots): void {
  if (!frame.bytes) return
  const { factors } = frame.bytes
  const products = memory.products(frame.bytes)
  let { floor } = best
  for (let slot = 0; slot < BLOCK_SLOTS; slot++) {
    // Not a number in a free slot, so never above the floor.
    const score = (products[slot] ?? 0) * (factors[slot] ?? 0)
    if (score > floor && isWanted(frame.inputs[slot] ?? 0)) {
      best.add(score, number * BLOCK_SLOTS + slot)
      floor = best.floor
    }
  }
}

function offerDistances({ memory, isWanted }: CodeScan, frame: CodeFrame, number: number, best: BestSlots): void {
  const distances = memory.distances(frame)
  let { floor } = best
  for (let slot = 0; slot < BLOCK_SLOTS; slot++) {
    const score = -(distances[slot] ?? 0)
    if (score > floor && frame.vectors[slot] !== 0 && isWanted(frame.inputs[slot] ?? 0)) {
      best.add(score, number * BLOCK_SLOTS + slot)
      floor = best.floor
    }
  }
}

function candidateAt(frames: readonly CodeFrame[], item: number): Candidate {
  const frame = frames[Math.floor(item / BLOCK_SLOTS)]
  const slot = item % BLOCK_SLOTS
  return { id: frame?.vectors[slot] ?? 0, input: frame?.inputs[slot] ?? 0 }
}
