import { StoreError } from '@mnemark/spec'

/** Throws TypeError for a limit that is not a whole number from 0. */
export function assertLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 0) throw new TypeError(`limit must be a whole number from 0, got ${limit}.`)
}

/** Throws StoreError `space-mismatch` for a vector whose length differs from its space's. */
export function assertDimensions(expected: number, got: number): void {
  if (expected === got) return
  throw new StoreError('space-mismatch', `This vector space holds vectors of ${expected} numbers, got one of ${got}.`)
}

/** Throws TypeError for NaN and infinities; `name` is the subject of the message. */
export function assertFinite(vector: Float32Array, name: string = 'A vector'): void {
  if (!vector.every(Number.isFinite)) throw new TypeError(`${name} holds a number that is not finite.`)
}

/** Returns its argument. Throws TypeError for anything but text. */
export function assertText(value: string): string {
  if (typeof value !== 'string') throw new TypeError(`Expected text, got ${typeof value}.`)
  return value
}

/** Throws TypeError for a day that is not YYYY-MM-DD; undefined passes. */
export function assertDay(day: string | undefined): void {
  if (day !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(day))
    throw new TypeError(`A day must be YYYY-MM-DD, got ${JSON.stringify(day)}.`)
}
