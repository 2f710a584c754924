import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const EXAMPLES = fileURLToPath(new URL('../examples/parts/', import.meta.url))
const PAGE = readFileSync(new URL('../../../docs/core-parts.md', import.meta.url), 'utf8')
const { exports }: { readonly exports: Readonly<Record<string, { readonly 'mnemark-source': string }>> } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)

test.each(readdirSync(EXAMPLES))('docs/core-parts.md shows %s as it is, and what it prints', async (file) => {
  const commandLine = ['--conditions=mnemark-source', '--no-warnings', EXAMPLES + file]
  const { stdout } = await promisify(execFile)(process.execPath, commandLine, { env: { ...process.env, TZ: 'UTC' } })
  const source = readFileSync(EXAMPLES + file, 'utf8')
  expect(source.trimEnd().split('\n').length).toBeLessThan(20)
  expect(PAGE).toContain(`## ${basename(file, '.ts')}\n`)
  expect(PAGE).toContain(`\`\`\`ts\n${source}\`\`\`\n\n\`\`\`text\n${stdout}\`\`\``)
})

test('every entry of the package is on the page', () => {
  const entries = Object.keys(exports).filter((entry) => entry !== '.')
  expect(entries.filter((entry) => !PAGE.includes(`\`${entry.slice(1)}\``))).toEqual([])
})

test('what the parts export by name is explained on the page', async () => {
  for (const file of readdirSync(EXAMPLES)) {
    const target = exports[`./${basename(file, '.ts')}`]?.['mnemark-source'] ?? ''
    const names = Object.keys(await import(/* @vite-ignore */ new URL(`../${target}`, import.meta.url).href))
    expect(names.filter((name) => !PAGE.includes(name))).toEqual([])
  }
})
