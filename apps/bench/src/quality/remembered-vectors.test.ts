import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BadUse } from '../report/bad-use.ts'
import { RememberedVectors } from './remembered-vectors.ts'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-remembered-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function floats(bytes: Uint8Array): readonly number[] {
  return [...new Float32Array(Uint8Array.from(bytes).buffer)]
}

test('vectors come back from the file as they were, which holds no text', () => {
  const folder = makeFolder()
  const file = join(folder, 'vectors.json')
  const first = new RememberedVectors('m', file)
  first.add('a secret', [0.5, -2])
  first.save()
  expect(readFileSync(file, 'utf8')).not.toContain('secret')
  expect(readdirSync(folder)).toEqual(['vectors.json'])
  const second = new RememberedVectors('m', file)
  expect([second.has('a secret'), second.has('another')]).toEqual([true, false])
  second.get('a secret', 'query')
  expect(second.bytesOf('query').map(floats)).toEqual([[0.5, -2]])
  expect(second.bytesOf('document')).toEqual([])
})

test('what was asked for stands once, in the order of asking', () => {
  const vectors = new RememberedVectors('m')
  for (const [at, text] of ['a', 'b', 'c'].entries()) vectors.add(text, [at])
  for (const text of ['c', 'a', 'c']) vectors.get(text, 'document')
  expect(vectors.bytesOf('document').map(floats)).toEqual([[2], [0]])
  expect(vectors.get('unknown', 'query')).toBe('')
})

test.each([
  ['{"model":"other","vectors":{}}', /vectors of other, not of m/],
  ['{"vectors":{}}', /holds no vectors/],
  ['{"model":"m","vec', /is not JSON/],
])('a file that holds %s is refused by name', (content, message) => {
  const file = join(makeFolder(), 'vectors.json')
  writeFileSync(file, content)
  expect(() => new RememberedVectors('m', file)).toThrow(BadUse)
  expect(() => new RememberedVectors('m', file)).toThrow(message)
})
