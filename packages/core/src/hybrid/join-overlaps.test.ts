import { expect, test } from 'vitest'
import { fuseWeighted } from './fuse.ts'
import { joinOverlaps, type Place } from './join-overlaps.ts'

const places: Readonly<Record<string, Place>> = {
  words: { document: 'a.md', startLine: 1, endLine: 10 },
  meaning: { document: 'a.md', startLine: 5, endLine: 14 },
  next: { document: 'a.md', startLine: 10, endLine: 19 },
  elsewhere: { document: 'b.md', startLine: 1, endLine: 10 },
}
const placeOf = (id: string): Place => places[id] ?? { document: id, startLine: 1, endLine: 1 }

test('B10: a keyword hit on lines 1-10 and a vector hit on lines 5-14 of one file become one hit with both signals', () => {
  const keywords = [{ id: 'words', score: 1 }]
  const vectors = joinOverlaps(
    keywords,
    [
      { id: 'elsewhere', score: 0.9 },
      { id: 'meaning', score: 0.8 },
    ],
    placeOf,
  )
  const fused = fuseWeighted([vectors, keywords], [0.7, 0.3])
  expect(fused.map(({ id }) => id)).toEqual(['words', 'elsewhere'])
  expect(fused[0]?.parts.map((part) => part?.score)).toEqual([0.8, 1])
})

test('neighbours that share a line, other files and hits of both lists stay apart', () => {
  const keywords = [
    { id: 'words', score: 1 },
    { id: 'next', score: 0.5 },
  ]
  const vectors = [
    { id: 'next', score: 0.9 },
    { id: 'elsewhere', score: 0.8 },
  ]
  expect(joinOverlaps(keywords, vectors, placeOf)).toEqual(vectors)
  expect(joinOverlaps([{ id: 'words', score: 1 }], [{ id: 'next', score: 0.9 }], placeOf)).toEqual([{ id: 'next', score: 0.9 }])
})

test('a keyword hit is spoken for once, by the better vector hit', () => {
  const vectors = [
    { id: 'meaning', score: 0.9 },
    { id: 'copy', score: 0.8 },
  ]
  const place = (id: string): Place => (id === 'copy' ? placeOf('meaning') : placeOf(id))
  expect(joinOverlaps([{ id: 'words', score: 1 }], vectors, place)).toEqual([
    { id: 'words', score: 0.9 },
    { id: 'copy', score: 0.8 },
  ])
})
