/** The guide shows code that runs: each block is a file of the repository, or a part of one, and the link above it says which. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const GUIDE = readFileSync(join(ROOT, 'docs/add-a-provider.md'), 'utf8')
const BLOCK = /\]\(\.\.\/([^)\n]+)\):\n\n```ts\n([\s\S]*?)```/g

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const blocks = [...GUIDE.matchAll(BLOCK)].map(([, path = '', code = '']) => ({ path, code }))

test('every block of code names the file it is from', () => {
  expect(blocks).toHaveLength(GUIDE.split('```ts\n').length - 1)
})

test.each(blocks)('the block of $path is there as it is shown', ({ path, code }) => {
  expect(`\n${read(path)}`).toContain(`\n${code}`)
})

test.each([
  'examples/custom-provider/acme.ts',
  'examples/custom-provider/acme-module.ts',
  'examples/custom-provider/acme.test.ts',
  'packages/provider-kit/examples/acme.ts',
])('%s is shown whole', (path) => {
  expect(blocks.find((block) => block.path === path)?.code).toBe(read(path))
})

test('every link leads to a file', () => {
  const targets = [...GUIDE.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target)
  expect(targets.filter((target) => !existsSync(join(ROOT, 'docs', target)))).toEqual([])
})
