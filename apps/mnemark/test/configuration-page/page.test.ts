import { expect, test } from 'vitest'
import { knownKeys } from '../../src/config/schema/schema.ts'
import type { KeyTree } from '../../src/config/schema/key-tree.ts'
import { currentPage } from './page.ts'

test('docs/configuration.md says what the schema says; else run pnpm docs:configuration', () => {
  const { written, current } = currentPage()
  expect(written).toBe(current)
})

test('every key is described, by itself or by the object it stands in', () => {
  const silent: string[] = []
  const walk = (tree: KeyTree, path: string, isDescribed: boolean): void => {
    const isCovered = isDescribed || tree.info !== undefined
    if (tree.kind === 'object') for (const [name, child] of tree.keys) walk(child, `${path}.${name}`, isCovered)
    else if (tree.kind === 'record') walk(tree.value, `${path}.*`, isCovered)
    else if (tree.kind === 'list') walk(tree.item, `${path}.*`, isCovered)
    else if (!isCovered) silent.push(path)
  }
  walk(knownKeys(), '', false)
  expect(silent).toEqual([])
})
