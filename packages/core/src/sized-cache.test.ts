import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SizedCache } from './sized-cache.ts'

const cacheOf = (maxSize: number): SizedCache<string, string> => new SizedCache(maxSize, ({ length }) => length)
const kept = (cache: SizedCache<string, string>, keys: string): string => [...keys].filter((key) => cache.get(key)).join('')

test('what was used last stays', () => {
  const cache = cacheOf(3)
  for (const key of 'abc') cache.set(key, key)
  cache.get('a')
  cache.set('d', 'd')
  expect(kept(cache, 'abcd')).toBe('acd')
})

test('a large value takes the place of many, one larger than all is not kept, and neither is anything where the size is 0', () => {
  const cache = cacheOf(3)
  for (const key of 'abc') cache.set(key, key)
  cache.set('e', 'eee')
  expect(kept(cache, 'abce')).toBe('e')
  cache.set('f', 'ffff')
  expect(kept(cache, 'ef')).toBe('e')
  cache.set('e', 'eeee')
  expect(kept(cache, 'e')).toBe('')
  const none = cacheOf(0)
  none.set('a', 'a')
  expect(kept(none, 'a')).toBe('')
})

test('keeps the newest that fit, whatever is put in and asked for', () => {
  const step = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e'), size: fc.option(fc.integer({ min: 1, max: 6 })) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const cache = cacheOf(8)
      // A simple model of the cache: a list, the newest first.
      let model: readonly (readonly [string, string])[] = []
      const answers: (string | undefined)[] = []
      const expected: (string | undefined)[] = []
      for (const { key, size } of steps) {
        const others = model.filter(([other]) => other !== key)
        const found = model.find(([other]) => other === key)
        if (size === null) {
          answers.push(cache.get(key))
          expected.push(found?.[1])
          if (found !== undefined) model = [found, ...others]
          continue
        }
        cache.set(key, 'x'.repeat(size))
        model = [[key, 'x'.repeat(size)] as const, ...others]
        while (model.reduce((sum, [, { length }]) => sum + length, 0) > 8) model = model.slice(0, -1)
      }
      expect(answers).toEqual(expected)
    }),
  )
})
