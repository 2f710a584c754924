import { describe, expect, test } from 'vitest'
import { contextOf, embeddingInputText, indexedText } from './context.ts'

describe('context', () => {
  test('nothing is said twice', () => {
    expect(contextOf('Plan', ['plan', 'Goals', 'Goals'])).toEqual(['Plan', 'Goals'])
    expect(contextOf(undefined, [])).toEqual([])
  })

  test('an input is context, blank line, text', () => {
    expect(embeddingInputText('Plan', ['Plan', 'Goals'], 'ship it\n')).toBe('Plan > Goals\n\nship it')
    expect(embeddingInputText(undefined, [], 'ship it')).toBe('ship it')
    expect(embeddingInputText('Plan', ['Goals'], ' \n')).toBe('')
  })

  test('what is not indexed is cut out, words beside it stay apart', () => {
    expect(indexedText('a<!-- x -->b', [[1, 11]])).toBe('a b')
    expect(indexedText('<x>\nkept', [[0, 4]])).toBe('kept')
    expect(indexedText('kept')).toBe('kept')
    expect(indexedText('gone', [[0, 4]])).toBe('')
  })
})
