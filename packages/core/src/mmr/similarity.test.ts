import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jaccard, tokenSimilarity } from './similarity.ts'

function tokenised(text: string, tokens: readonly string[] = text.split(' ')): { text: string; tokens: Set<string> } {
  return { text, tokens: new Set(tokens) }
}

const pairs: readonly (readonly [string, readonly string[], string, readonly string[]])[] = [
  [
    'Развёртывание кластера завершено',
    ['развертывание', 'кластера', 'завершено'],
    'Резервное копирование базы данных',
    ['резервное', 'копирование', 'базы', 'данных'],
  ],
  ['機械学習', ['機械', '学習'], '神経回路', ['神経', '回路']],
  ['🎉', ['🎉'], '🔥', ['🔥']],
  ['---', [], '***', []],
  ['🎉', [], '🔥', []],
  ['dog bites man', ['dog', 'bites', 'man'], 'man bites dog', ['man', 'bites', 'dog']],
]

test.each(pairs)('B12: %s %j and %s %j are not the same', (leftText, leftTokens, rightText, rightTokens) => {
  const [left, right] = [tokenised(leftText, leftTokens), tokenised(rightText, rightTokens)]
  expect(tokenSimilarity(left, right)).toBeLessThan(1)
  expect(tokenSimilarity(left, left)).toBe(1)
})

test('B12: two sets without tokens share nothing', () => {
  expect(jaccard(new Set(), new Set())).toBe(0)
})

test('similarity is symmetric, 0 to 1, and 1 only for equal sets', () => {
  const sets = fc.array(fc.integer({ min: 0, max: 8 })).map((members) => new Set(members))
  fc.assert(
    fc.property(sets, sets, (left, right) => {
      const value = jaccard(left, right)
      expect(value).toBe(jaccard(right, left))
      expect(value >= 0 && value <= 1).toBe(true)
      expect(value === 1).toBe(left.size > 0 && new Set([...left, ...right]).size === Math.min(left.size, right.size))
    }),
  )
})
