import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeSnippet } from './make-snippet.ts'

const LONG = `${'before '.repeat(300)}the Router, again: router ${'after '.repeat(300)}`

test('a short text is shown whole, with the words of the query marked in any case', () => {
  const { snippet, highlights } = makeSnippet('The Router has VLAN 10.', 'router vlan', 700)
  expect(snippet).toBe('The Router has VLAN 10.')
  expect(highlights.map(([start, end]) => snippet.slice(start, end))).toEqual(['Router', 'VLAN'])
})

test('a long one is cut around the first word of the query', () => {
  const { snippet, highlights } = makeSnippet(LONG, 'router', 120)
  expect(snippet).toMatch(/^….*the Router, again: router.*…$/)
  expect(highlights).toHaveLength(2)
})

test('P11: it is cut around the stretch with most different words, and its best line is named', () => {
  const bullets = Array.from({ length: 60 }, (_, at) => `- printer of room ${at}`)
  const text = [...bullets, '## Printer warranty number', 'PW-4471', ...bullets].join('\n')
  const made = makeSnippet(text, 'printer warranty number', 200)
  expect(made.snippet).toContain('## Printer warranty number\nPW-4471')
  expect(made.lineOffset).toBe(60)
  expect(made.lineOffsets).toHaveLength(made.snippet.split('\n').length)
  for (const [at, line] of made.snippet.split('\n').entries())
    expect(text.split('\n')[made.lineOffsets[at] ?? -1]).toContain(line.replaceAll('…', ''))
})

test('the share is how many of the words of the query it holds', () => {
  expect(makeSnippet('the router', 'router vlan printer nowhere', 700).share).toBe(0.25)
  expect(makeSnippet('the router', '?', 700).share).toBe(0)
})

test('without a word of the query it is the beginning', () => {
  expect(makeSnippet(LONG, 'zebra', 40).snippet).toMatch(/^before before .*[^…]…$/)
})

test('letters that change their length with their case cost the marks, not the text', () => {
  expect(makeSnippet('İstanbul router', 'router', 700)).toMatchObject({ snippet: 'İstanbul router', highlights: [] })
})

describe('whatever the text', () => {
  const family = '👨‍👩‍👧‍👦'

  test('it stays within its size, cuts no character, and marks lie inside', () => {
    const part = fc.constantFrom('a', 'router ', '文', family, 'é', 'ा', '\n', '🇯🇵', ' ')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 400 }), fc.integer({ min: 20, max: 200 }), (parts, size) => {
        const text = parts.join('')
        const { snippet, highlights } = makeSnippet(text, 'router 文', size)
        expect(snippet.length).toBeLessThanOrEqual(size)
        expect(snippet.isWellFormed()).toBe(true)
        const body = snippet.replaceAll('…', '')
        expect(text).toContain(body)
        for (const [start, end] of highlights) expect(snippet.slice(start, end)).toMatch(/^(?:router|文)+$/)
      }),
    )
  })

  test('an emoji of many parts is shown or left out, never split', () => {
    for (let size = 20; size < 60; size += 1) {
      const { snippet } = makeSnippet(family.repeat(20), '', size)
      expect(snippet.replaceAll('…', '').replaceAll(family, '')).toBe('')
    }
  })
})
