import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256 as onNode } from './hash/sha256-node.ts'
import { sha256 as portable } from './hash/sha256-portable.ts'

test.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
])('the digest of %j is that of FIPS 180-4', (text, digest) => {
  expect([onNode(text), portable(text)]).toEqual([digest, digest])
})

test('a vector made on Node is found in a browser: both hash every text and all bytes alike, lone surrogates too', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => onNode(text) === portable(text)))
  fc.assert(fc.property(fc.uint8Array(), (bytes) => onNode(bytes) === portable(bytes)))
  expect(portable('\ud800 x')).toBe(onNode('\ud800 x'))
})
