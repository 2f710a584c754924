import { StoreError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { checkNode } from './check-node.ts'

function refusalOf(node: string, napi: string): unknown {
  try {
    return checkNode({ node, napi })
  } catch (error) {
    return StoreError.isInstance(error) ? [error.code, error.message] : error
  }
}

const OLD = [
  ['20.19.0', '9'],
  ['22.13.0', '9'],
  ['22.13.1', '9'],
  ['23.5.0', '9'],
] as const

test.each(OLD)('Node %s is refused before its engine is loaded (P80)', (node, napi) => {
  expect(refusalOf(node, napi)).toEqual(['engine-missing', expect.stringContaining(`this is Node ${node}`)])
})

test.each([
  ['22.14.0', '10'],
  ['23.6.0', '10'],
  ['24.21.0', '10'],
  ['26.0.0', '11'],
])('Node %s is taken', (node, napi) => {
  expect(refusalOf(node, napi)).toBeUndefined()
})

test('the Node that runs the tests is taken, and a runtime that does not say', () => {
  expect(() => checkNode()).not.toThrow()
  expect(() => checkNode({ node: '1.0.0' })).not.toThrow()
})
