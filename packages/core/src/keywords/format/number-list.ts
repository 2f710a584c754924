/**
 * A growing list of whole numbers below 2^32, in a quarter of the memory of an array and with nothing for the garbage
 * collector to walk.
 */
export class NumberList {
  values: Uint32Array
  length = 0

  constructor(capacity: number = 1 << 12) {
    this.values = new Uint32Array(capacity)
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Uint32Array(this.length * 2)
      larger.set(this.values)
      this.values = larger
    }
    this.values[this.length] = value
    this.length += 1
  }

  at(index: number): number {
    return this.values[index] ?? 0
  }
}
