import { expect, test } from 'vitest'
import { readPlace } from './note-place.ts'

test.each([
  ['x.md#L9-L16', {}, { path: 'x.md', from: 9, lines: 8 }],
  ['x.md#L9-L16', { lines: 3 }, { path: 'x.md', from: 9, lines: 3 }],
  ['x.md#L9-L16', { from: 2 }, { path: 'x.md', from: 2 }],
  ['x.md#L9-L16', { from: 2, lines: 1 }, { path: 'x.md', from: 2, lines: 1 }],
  ['x.md#L9', { lines: 3 }, { path: 'x.md', from: 9, lines: 3 }],
  ['x.md:9', {}, { path: 'x.md', from: 9, lines: 1 }],
  ['x.md:9-16', {}, { path: 'x.md', from: 9, lines: 8 }],
  ['x.md', { lines: 3 }, { path: 'x.md', lines: 3 }],
  ['x.md#L16-L9', {}, { path: 'x.md#L16-L9' }],
  ['x.md#heading', {}, { path: 'x.md#heading' }],
])('P71: the lines of %s with %j', (text, asked, place) => {
  expect(readPlace(text, asked)).toEqual(place)
})

test.each([
  ['Source: memory/x.md#L9-L16', { path: 'memory/x.md', from: 9, lines: 8 }],
  ['> Source: memory/x.md#L9-L16', { path: 'memory/x.md', from: 9, lines: 8 }],
  ['mnemark://notes/memory/%D8%B4.md', { path: 'memory/ش.md' }],
  ['mnemark://notes/memory/100%.md', { path: 'memory/100%.md' }],
  ['`memory/x.md:9`', { path: 'memory/x.md', from: 9, lines: 1 }],
  ['[[Home network]]', { path: 'Home network' }],
  ['"ملاحظة.md#L2"', { path: 'ملاحظة.md', from: 2, lines: 1 }],
])('P75: a place copied with what stands around it: %s', (text, place) => {
  expect(readPlace(text)).toEqual(place)
})
