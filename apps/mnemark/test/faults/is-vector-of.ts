import { sampleVector } from '@mnemark/testkit'

/** Whether it is the vector that a protocol server makes of the text, as near as the store keeps it: its numbers are rounded. */
export function isVectorOf(vector: Float32Array | null | undefined, text: string, dimensions: number): boolean {
  const raw = sampleVector(text, dimensions)
  const product = raw.reduce((sum, value, index) => sum + value * (vector?.[index] ?? 0), 0)
  return vector?.length === dimensions && product / Math.hypot(...raw) / Math.hypot(...vector) > 0.9999
}
