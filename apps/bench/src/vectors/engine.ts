import type { VectorSet } from './vector-set.ts'

/** One way to keep vectors and find the nearest. */
export interface VectorEngine {
  /** Makes the index in an empty folder. Returns the bytes it takes for vectors. */
  fill(folder: string, set: VectorSet): Promise<number>
  open(folder: string, set: VectorSet): Promise<OpenEngine>
}

export interface OpenEngine {
  /** Numbers of the nearest vectors, the best first. */
  nearest(query: Float32Array, limit: number): Promise<readonly number[]>
  /** Waits for what the engine does in the background after its first searches. */
  settle?(): Promise<void>
  close(): Promise<void>
}
