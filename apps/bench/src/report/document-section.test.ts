import { expect, test } from 'vitest'
import { replaceSection } from './document-section.ts'

const page = 'Before.\n<!-- bench:tune -->\nold\n<!-- /bench:tune -->\nAfter.\n'

test('only what stands between the markers is replaced, and again the same way', () => {
  const once = replaceSection(page, 'tune', '| new |')
  expect(once).toBe('Before.\n<!-- bench:tune -->\n| new |\n<!-- /bench:tune -->\nAfter.\n')
  expect(replaceSection(once, 'tune', '| new |')).toBe(once)
})

test('a page without the markers, or with two of them, is refused', () => {
  expect(() => replaceSection(page, 'final', 'x')).toThrow('<!-- bench:final -->')
  expect(() => replaceSection(page + page, 'tune', 'x')).toThrow('once each')
  expect(() => replaceSection('<!-- /bench:a --><!-- bench:a -->', 'a', 'x')).toThrow('once each')
})
