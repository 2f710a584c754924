import type { StoredChunk, StoredDocument } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { createChunkCache, loadedChunk } from './candidates/loaded-chunks.ts'

function entry(id: number, characters = 100_000) {
  const place = { source: 'memory', path: `${id}.md` }
  const document: StoredDocument = { ...place, size: 1, modifiedAtMs: 1, contentHash: 'h', recipe: 'r', isEvergreen: false }
  const chunk: StoredChunk = {
    id,
    document: place,
    ordinal: 0,
    startLine: 1,
    endLine: 1,
    text: 'a'.repeat(characters),
    headingTrail: [],
    attributes: {},
    inputs: [],
  }
  return loadedChunk(chunk, document)
}

test('a chunk that several searches read at a time takes its place once', () => {
  const cache = createChunkCache()
  for (let time = 0; time < 200; time++) cache.set(1, entry(1))
  cache.set(2, entry(2))
  expect([cache.get(1)?.chunk.id, cache.get(2)?.chunk.id]).toEqual([1, 2])
})

test('what was used last stays when there are too many', () => {
  const cache = createChunkCache()
  for (let id = 0; id < 30; id++) cache.set(id, entry(id))
  cache.get(0)
  for (let id = 30; id < 60; id++) {
    cache.set(id, entry(id))
    cache.get(0)
  }
  expect([cache.get(0)?.chunk.id, cache.get(1), cache.get(59)?.chunk.id]).toEqual([0, undefined, 59])
})
