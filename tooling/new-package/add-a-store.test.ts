/** The guide shows code that runs: each block is a file of the repository, and the link above it says which. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const GUIDE = readFileSync(join(ROOT, 'docs/add-a-store.md'), 'utf8')
const BLOCK = /\]\(\.\.\/([^)\n]+)\):\n\n```ts\n([\s\S]*?)```/g
const EXAMPLE = 'examples/custom-store'

const blocks = [...GUIDE.matchAll(BLOCK)].map(([, path = '', code = '']) => ({ path, code }))

test('every block of code names the file it is from', () => {
  expect(blocks).toHaveLength(GUIDE.split('```ts\n').length - 1)
})

test.each(blocks)('$path is shown whole', ({ path, code }) => {
  expect(code).toBe(readFileSync(join(ROOT, path), 'utf8'))
})

test('the whole store is shown', () => {
  const sources = readdirSync(join(ROOT, EXAMPLE)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  expect(sources.filter((file) => !blocks.some(({ path }) => path === `${EXAMPLE}/${file}`))).toEqual([])
})

test('every link leads to a file', () => {
  const targets = [...GUIDE.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target)
  expect(targets.filter((target) => !existsSync(join(ROOT, 'docs', target)))).toEqual([])
})
