// @ts-expect-error The package has types for its converters only.
import JAPANESE from 'opencc-js/dict/JPShinjitaiCharacters'
// @ts-expect-error The same.
import TRADITIONAL from 'opencc-js/dict/TSCharacters'
import { expect, test } from 'vitest'
import { sharedHan } from './han-variants.ts'

/** First value of each entry of a dictionary of OpenCC, `key value value|key value`, of one code unit each. */
function pairsOf(dictionary: string): (readonly string[])[] {
  const pairs = dictionary.split('|').map((entry) => entry.split(' ').slice(0, 2))
  return pairs.filter((pair) => pair.every((letter) => letter.length === 1))
}

/** 沪 is Shanghai in Chinese, and short for 濾 in Japanese only; for each of the others, Chinese takes precedence over Japanese. */
const APART = new Set('沪並併緒衛頴餅')

test('P23: every traditional letter shares the form that OpenCC gives, and so does what Japanese made of it', () => {
  const apart = [...pairsOf(String(TRADITIONAL)), ...pairsOf(String(JAPANESE))].filter(
    ([from = '', to = '']) => sharedHan(from) !== sharedHan(to),
  )
  expect(apart.map(([from]) => from).filter((from) => !APART.has(from ?? ''))).toEqual([])
})

test('a shared form is its own, letters without variants stay, places stay', () => {
  const text = '數據庫、圖書館 and データベース 沪 𠮷'
  expect(sharedHan(sharedHan(text))).toBe(sharedHan(text))
  expect(sharedHan(text)).toHaveLength(text.length)
  expect(sharedHan('沪 データ plain')).toBe('沪 データ plain')
})
