import { ConfigError } from '@mnemark/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limitPerFile } from './limit-per-file.ts'

function hits(paths: string): { path: string; place: number }[] {
  return [...paths].map((path, place) => ({ path, place }))
}
function order(paths: string, limit = {}): string {
  return limitPerFile(hits(paths), limit)
    .map(({ place }) => place.toString(36))
    .join('')
}

test('a long day does not fill the list: three of the first ten, the rest behind them', () => {
  expect(order('aaaaaaaabcdefgh')).toBe('01289abcde34567')
})

test('where nothing else matches one file fills the list', () => {
  expect(order('aaaaaa')).toBe('012345')
  expect(order('aaaaab')).toBe('012534')
})

test('only the first ones are limited', () => {
  expect(order('aabbbb', { perFile: 1, first: 2 })).toBe('021345')
})

test('equal paths of two sources are two files', () => {
  const two = ['memory', 'sessions'].flatMap((source) => [0, 1, 2].map((place) => ({ source, path: 'a.md', place })))
  expect(limitPerFile(two, { perFile: 3, first: 6 })).toEqual(two)
})

test('no hit is lost, and the first ones hold no more of a file than allowed while others wait', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      (paths, perFile) => {
        const limited = limitPerFile(hits(paths), { perFile, first: 10 })
        expect(limited.toSorted((left, right) => left.place - right.place)).toEqual(hits(paths))
        const files = new Set(paths).size
        const front = limited.slice(0, Math.min(10, files))
        for (const path of new Set(paths)) expect(front.filter((hit) => hit.path === path).length).toBeLessThanOrEqual(perFile)
      },
    ),
  )
})

test.each([0, -1, 2.5])('refuses a limit of %s', (perFile) => {
  expect(() => limitPerFile([], { perFile })).toThrow(ConfigError)
})
