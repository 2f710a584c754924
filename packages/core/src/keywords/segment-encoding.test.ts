import { type KeywordBlock, StoreError } from '@mnemark/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BlockWriter, entriesOf, findInBlock } from './format/block.ts'
import { ByteReader } from './format/byte-reader.ts'
import { ByteWriter } from './format/byte-writer.ts'
import { decodeTraits, encodeTraits, traitBlocks, UNDATED } from './format/chunk-traits.ts'
import { compareKeys, sortKeys } from './format/key-order.ts'
import { countPostings, readPostings, writePostings } from './format/postings.ts'
import { decodeHeader, encodeHeader, isOwnSegment, readIds, writeIds } from './format/segment-header.ts'

/** Keys that share prefixes, differ late, and hold letters around the surrogates in both orders. */
const letter = fc.constantFrom(
  'a',
  'b',
  'z',
  '\u00e9',
  '\u4f1a',
  '\ud7ff',
  '\ue000',
  '\uff21',
  '\uffff',
  '🚀',
  '😀',
  '\u{10ffff}',
)
const key = fc.oneof(
  fc.array(letter, { maxLength: 12 }).map((letters) => letters.join('')),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
)
const rising = fc.uniqueArray(fc.nat(50_000), { maxLength: 200 }).map((ids) => ids.sort((left, right) => left - right))

function bytesOf(value: string): Uint8Array {
  return new TextEncoder().encode(value)
}

function writerOf(bytes: Uint8Array): ByteWriter {
  const writer = new ByteWriter(1)
  writer.bytes(bytes)
  return writer
}

test('keys order as the bytes of their UTF-8', () => {
  fc.assert(
    fc.property(key, key, (left, right) => {
      expect(Math.sign(compareKeys(left, right))).toBe(Buffer.compare(Buffer.from(left), Buffer.from(right)))
    }),
    { numRuns: 2_000 },
  )
  fc.assert(
    fc.property(fc.array(key), (keys) => {
      const sorted = [...keys].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
      expect(sortKeys([...keys])).toEqual(sorted)
    }),
  )
})

test('whole numbers up to 2^53 − 1 come back from their bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeNat()), (numbers) => {
      const writer = new ByteWriter(1)
      for (const number of numbers) writer.varint(number)
      const reader = new ByteReader(writer.toBytes())
      expect(numbers.map(() => reader.varint())).toEqual(numbers)
      expect(reader.isDone).toBe(true)
    }),
  )
})

test('bytes that end too early are refused, never read past', () => {
  const writer = new ByteWriter()
  writer.varint(300)
  const bytes = writer.toBytes()
  expect(() => new ByteReader(bytes.subarray(0, 1)).varint()).toThrow(/damaged/)
  expect(() => new ByteReader(bytes).slice(3)).toThrow(/damaged/)
  expect(() => new ByteReader(bytes, 0, 0).byte()).toThrow(/damaged/)
})

test('postings come back, dense or sparse, their frequencies capped by the channel', () => {
  const spread = fc.constantFrom(50_000, 2_000, 200, 20)
  fc.assert(
    fc.property(rising, spread, fc.constantFrom(1, 2, 255), fc.nat(1_000), (numbers, size, maxFrequency, base) => {
      const ids = [...new Set(numbers.map((number) => number % size))].sort((left, right) => left - right)
      const frequencies = Uint8Array.from(ids, (id) => 1 + (id % 255))
      const writer = new ByteWriter()
      writePostings(writer, { ordinals: Uint32Array.from(ids), frequencies }, { maxFrequency, segmentCount: size })
      const read = { ordinals: new Uint32Array(ids.length + 2), frequencies: new Uint8Array(ids.length + 2) }
      const reader = new ByteReader(writer.toBytes())
      expect(countPostings(reader)).toBe(ids.length)
      expect(readPostings(reader, read, { offset: 2, base, maxFrequency })).toBe(ids.length)
      expect(reader.isDone).toBe(true)
      expect([...read.ordinals.subarray(2)]).toEqual(ids.map((id) => id + base))
      expect([...read.frequencies.subarray(2)]).toEqual([...frequencies].map((frequency) => Math.min(frequency, maxFrequency)))
    }),
    { numRuns: 400 },
  )
})

test('ids, header and what is known of each chunk come back', () => {
  fc.assert(
    fc.property(rising, (ids) => {
      const writer = new ByteWriter()
      writeIds(writer, ids)
      expect(readIds(new ByteReader(writer.toBytes()))).toEqual(ids)
      const header = { count: ids.length, totals: [ids.length, 7, 2 ** 40], removed: ids }
      expect(decodeHeader(encodeHeader(header))).toEqual(header)
      const traits = {
        lengths: [ids, ids.map((id) => id * 3), ids.map(() => 0)],
        days: ids.map((id) => (id % 3 === 0 ? UNDATED : (id % 5) * 997 - 2_000)),
        hashes: ids.map((id) => 2 ** 32 - 1 - id),
        firsts: ids.map((id) => id % 2),
      }
      const blocks = traitBlocks(ids, encodeTraits(traits, ids.length))
      const values = new Map(blocks.flatMap(({ bytes }) => [...entriesOf(bytes)].map(({ key: each, value }) => [each, value])))
      const decoded = decodeTraits(values, ids.length)
      expect(decoded.lengths.map((channel) => [...channel])).toEqual(traits.lengths)
      expect([decoded.days, decoded.hashes, decoded.firsts].map((list) => [...list])).toEqual([
        traits.days,
        traits.hashes,
        traits.firsts,
      ])
    }),
  )
})

test('a segment of another version is told from an own one by its header', () => {
  const bytes = encodeHeader({ count: 1, totals: [1, 1, 1], removed: [] })
  expect(isOwnSegment(bytes)).toBe(true)
  expect(isOwnSegment(Uint8Array.from(bytes, (byte, at) => (at === 0 ? byte + 1 : byte)))).toBe(false)
})

function failureOf(work: () => unknown): unknown {
  try {
    work()
    return 'nothing'
  } catch (error) {
    return StoreError.isInstance(error) ? error.code : error
  }
}

test('cut or scrambled blocks give a typed error or nothing, never something else', () => {
  const { blocks } = written(['ea', 'eab', 'eb', 'g会议'], bytesOf)
  const [block] = blocks
  if (!block) throw new Error('four keys make a block')
  fc.assert(
    fc.property(fc.nat(block.bytes.length - 1), fc.nat(255), key, (at, byte, wanted) => {
      const scrambled = Uint8Array.from(block.bytes)
      scrambled[at] = byte
      for (const bytes of [scrambled, block.bytes.subarray(0, at)]) {
        for (const look of [() => findInBlock(bytes, wanted), () => Array.from(entriesOf(bytes))])
          expect(['nothing', 'corrupt']).toContain(failureOf(look))
      }
    }),
    { numRuns: 1_000 },
  )
})

interface Written {
  readonly keys: readonly string[]
  readonly blocks: readonly KeywordBlock[]
}

function written(keys: readonly string[], valueOf: (key: string) => Uint8Array): Written {
  const sorted = sortKeys([...new Set(keys)])
  const blocks: KeywordBlock[] = []
  const writer = new BlockWriter((block) => blocks.push(block))
  for (const each of sorted) writer.put(writerOf(bytesOf(each)), writerOf(valueOf(each)))
  writer.finish()
  return { keys: sorted, blocks }
}

test('blocks give back every key with its value, in order, and each begins with its first key', () => {
  fc.assert(
    fc.property(fc.array(key), fc.nat(9_000), (keys, size) => {
      const valueOf = (each: string): Uint8Array => new Uint8Array(each.length === 0 ? 0 : size).fill(each.length)
      const { keys: sorted, blocks } = written(keys, valueOf)
      const entries = blocks.flatMap(({ bytes }) => [...entriesOf(bytes)])
      expect(entries.map((entry) => entry.key)).toEqual(sorted)
      for (const { key: each, value } of entries) expect(value.slice(value.end - value.at)).toEqual(valueOf(each))
      expect(blocks.map(({ bytes }) => Array.from(entriesOf(bytes))[0]?.key)).toEqual(blocks.map(({ firstKey }) => firstKey))
    }),
  )
})

test('looking a key up in a block gives what reading the whole block gives', () => {
  fc.assert(
    fc.property(fc.array(key, { minLength: 1 }), fc.array(key), (keys, others) => {
      const { keys: sorted, blocks } = written(keys, bytesOf)
      for (const { bytes } of blocks) {
        for (const wanted of [...sorted, ...others]) {
          const linear = [...entriesOf(bytes)].find((entry) => entry.key === wanted)
          const found = findInBlock(bytes, wanted)
          expect(found && [found.at, found.end]).toEqual(linear && [linear.value.at, linear.value.end])
        }
      }
    }),
    { numRuns: 300 },
  )
})
