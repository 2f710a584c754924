import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assembledModule } from '../../kernel/assemble.ts'
import type { KernelCall, ScanKernel } from './scan-kernel.ts'
import { createJavaScriptKernel, createScanKernel, createWasmKernel } from './scan-kernel.ts'

test('the kernel in the sources is what its text assembles to, and under a kilobyte', async () => {
  const source = readFileSync(new URL('scan-kernel-binary.ts', import.meta.url), 'utf8')
  expect(source).toBe(await assembledModule())
  expect(Buffer.from(/'(.+)'/.exec(source)?.[1] ?? '', 'base64').length).toBeLessThan(1_024)
})

test('where the runtime can, the kernel is WebAssembly; without WebAssembly it is the twin', () => {
  expect(createScanKernel().kind).toBe('wasm')
  const module = new URL('scan-kernel.ts', import.meta.url).href
  // Runs without --jitless itself: there Node cannot read TypeScript.
  const script = `const { createScanKernel } = await import(${JSON.stringify(module)})
    delete globalThis.WebAssembly
    console.log(createScanKernel().kind)`
  const { stdout } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script])
  expect(String(stdout).trim()).toBe('javascript')
})

const QUERY = 1_024
const ROWS = 65_536
const OUT = 16_384

/** Random bytes of query and rows, in a memory that had to grow for them. */
function filled(kernel: ScanKernel, bytes: Uint8Array): ScanKernel {
  kernel.grow(ROWS + bytes.length)
  const memory = new Uint8Array(kernel.buffer)
  memory.set(bytes.subarray(0, 8_192), QUERY)
  memory.set(bytes, ROWS)
  return kernel
}

function answers(kernel: ScanKernel, { length, count, scale }: { length: number; count: number; scale: number }): unknown {
  const call: KernelCall = { query: QUERY, rows: ROWS, out: OUT, count, length }
  kernel.hamming(call)
  const distances = [...new Uint16Array(kernel.buffer, OUT, count)]
  const query = new Int16Array(kernel.buffer, QUERY, length)
  for (const [index, value] of query.entries()) query[index] = Math.trunc(value * scale)
  kernel.dot(call)
  return { distances, products: [...new Int32Array(kernel.buffer, OUT, count)] }
}

test('the WebAssembly kernel and its twin give identical numbers', () => {
  const shape = fc.record({ units: fc.integer({ min: 1, max: 24 }), count: fc.integer({ min: 0, max: 40 }), seed: fc.integer() })
  fc.assert(
    fc.property(shape, ({ units, count, seed }) => {
      const length = 32 * units
      const bytes = randomBytes(Math.max(8_192, length * count), seed)
      // Largest products of 2,047 x 128 over 768 numbers stay within 32 bits.
      const call = { length, count, scale: 2_047 / 32_768 }
      const wasm = createWasmKernel()
      if (!wasm) throw new Error('This runtime has no WebAssembly SIMD.')
      expect(answers(filled(wasm, bytes), call)).toEqual(answers(filled(createJavaScriptKernel(), bytes), call))
    }),
    { seed: 20_260_314, numRuns: 200 },
  )
})

function randomBytes(length: number, seed: number): Uint8Array {
  let state = seed | 1
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return state >>> 24
  })
}

test('both count bits and products as written out', () => {
  const zeros = Array.from({ length: 30 }, () => 0)
  for (const kernel of [createScanKernel(), createJavaScriptKernel()]) {
    const memory = new Uint8Array(kernel.buffer)
    memory.set([0b1010, 255, ...zeros], QUERY)
    memory.set([0b0110, 0, ...zeros, 0b1010, 255], 4_096)
    kernel.hamming({ query: QUERY, rows: 4_096, out: 8_192, count: 2, length: 32 })
    expect([...new Uint16Array(kernel.buffer, 8_192, 2)]).toEqual([10, 0])
    new Int16Array(kernel.buffer, QUERY, 32).set([-2_000, 3, 0, 7])
    new Int8Array(kernel.buffer, 4_096, 64).set([127, -128, 5, 1], 0)
    new Int8Array(kernel.buffer, 4_096, 64).set([-127, 0, 0, 0, 9], 32)
    kernel.dot({ query: QUERY, rows: 4_096, out: 8_192, count: 2, length: 32 })
    expect([...new Int32Array(kernel.buffer, 8_192, 2)]).toEqual([-254_377, 254_000])
  }
})
