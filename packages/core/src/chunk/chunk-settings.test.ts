import { describe, expect, test } from 'vitest'
import { validateChunkSettings } from './chunk-settings.ts'

describe('validateChunkSettings', () => {
  test('has defaults that fit each other', () => {
    expect(validateChunkSettings()).toEqual({ tokens: 400, overlap: 80 })
    expect(validateChunkSettings({ tokens: 50 })).toEqual({ tokens: 50, overlap: 10 })
    expect(validateChunkSettings({ tokens: 1 })).toEqual({ tokens: 1, overlap: 0 })
  })

  test.each([
    { tokens: 100, overlap: 100 },
    { tokens: 100, overlap: 150 },
    { tokens: 100, overlap: -5 },
    { tokens: 0 },
    { tokens: 2.5 },
    { tokens: Number.NaN },
    { tokens: Infinity },
  ])('B21: refuses %j and names the key', (settings) => {
    expect(() => validateChunkSettings(settings)).toThrow(RangeError)
    expect(() => validateChunkSettings(settings)).toThrow(/^chunking\.(tokens|overlap) must be .*got /)
  })

  test('B21: refuses what is no number', () => {
    // @ts-expect-error settings may come from a file
    expect(() => validateChunkSettings({ tokens: '400' })).toThrow(TypeError)
  })
})
