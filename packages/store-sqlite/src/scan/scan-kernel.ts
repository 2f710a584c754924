import { SCAN_KERNEL } from './scan-kernel-binary.ts'

/**
 * `query` against `count` rows of `length` bytes each; `out` takes one number per row. The first three are positions in
 * the memory.
 */
export interface KernelCall {
  readonly query: number
  readonly rows: number
  readonly out: number
  readonly count: number
  readonly length: number
}

/** The two loops of the scan, over a separate memory. kernel/scan-kernel.wat explains both. */
export interface ScanKernel {
  readonly kind: 'wasm' | 'javascript'
  /** A new buffer after each `grow`. */
  readonly buffer: ArrayBuffer
  grow(bytes: number): void
  /** Numbers of differing bits, as uint16. `length` is a multiple of 16. */
  hamming(call: KernelCall): void
  /** Dot product of int16 and int8, as int32. `length` is a multiple of 32. */
  dot(call: KernelCall): void
}

const PAGE_BYTES = 65_536

/** The WebAssembly kernel, or the JavaScript one where the runtime has no WebAssembly or no SIMD. Both give the same numbers. */
export function createScanKernel(): ScanKernel {
  return createWasmKernel() ?? createJavaScriptKernel()
}

// Exports of the module, as in its text.
interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  hamming(query: number, rows: number, count: number, length: number, out: number): void
  dot(query: number, rows: number, count: number, length: number, out: number): void
}

/** The used part of WebAssembly: its types are in the browser's library, and without a compiler (`--jitless`) it is absent. */
interface WebAssemblyNamespace {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

let compiled: object | undefined

/** Undefined where the runtime cannot run it. */
export function createWasmKernel(): ScanKernel | undefined {
  const wasm = (globalThis as { readonly WebAssembly?: WebAssemblyNamespace }).WebAssembly
  if (!wasm) return undefined
  let exported: KernelExports
  try {
    compiled ??= new wasm.Module(Buffer.from(SCAN_KERNEL, 'base64'))
    exported = new wasm.Instance(compiled).exports as KernelExports
  } catch {
    return undefined
  }
  const { memory, hamming, dot } = exported
  return {
    kind: 'wasm',
    get buffer() {
      return memory.buffer
    },
    grow: (bytes) => void memory.grow(Math.ceil(bytes / PAGE_BYTES)),
    hamming: ({ query, rows, count, length, out }) => hamming(query, rows, count, length, out),
    dot: ({ query, rows, count, length, out }) => dot(query, rows, count, length, out),
  }
}

export function createJavaScriptKernel(): ScanKernel {
  let buffer = new ArrayBuffer(PAGE_BYTES)
  return {
    kind: 'javascript',
    get buffer() {
      return buffer
    },
    grow: (bytes) => {
      const grown = new ArrayBuffer(buffer.byteLength + Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES)
      new Uint8Array(grown).set(new Uint8Array(buffer))
      buffer = grown
    },
    hamming: (call) => hammingRows(buffer, call),
    dot: (call) => dotRows(buffer, call),
  }
}

function hammingRows(buffer: ArrayBuffer, { query, rows, out, count, length }: KernelCall): void {
  const words = length / 4
  const wanted = new Uint32Array(buffer, query, words)
  const codes = new Uint32Array(buffer, rows, count * words)
  const distances = new Uint16Array(buffer, out, count)
  for (let row = 0, at = 0; row < count; row++) {
    let distance = 0
    for (let word = 0; word < words; word++, at++) distance += bitCount((wanted[word] ?? 0) ^ (codes[at] ?? 0))
    distances[row] = distance
  }
}

function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

function dotRows(buffer: ArrayBuffer, { query, rows, out, count, length }: KernelCall): void {
  const wanted = new Int16Array(buffer, query, length)
  const codes = new Int8Array(buffer, rows, count * length)
  const products = new Int32Array(buffer, out, count)
  for (let row = 0, at = 0; row < count; row++) {
    let sum = 0
    for (let index = 0; index < length; index++, at++) sum += (wanted[index] ?? 0) * (codes[at] ?? 0)
    products[row] = sum
  }
}
