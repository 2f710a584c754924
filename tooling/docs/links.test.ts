/** Relative links of the documentation lead to files of the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const PAGES = ['README.md', 'README.ar.md', 'CONTRIBUTING.md', ...markdownBelow('docs')]
const CODE = /^(`{3,})[\s\S]*?^\1|`[^`\n]*`/gmu
const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)\s]*)?\)/gu

test.each(PAGES)('%s links to files that exist', (page) => {
  expect(deadLinks(readFileSync(join(ROOT, page), 'utf8'), page)).toEqual([])
})

test('a link to a missing file is found, an example in code is not', () => {
  expect(deadLinks('[here](links.test.ts#top) [gone](gone.md) `[code](code.md)`', 'tooling/docs/page.md')).toEqual(['gone.md'])
})

function deadLinks(text: string, page: string): readonly string[] {
  const links = [...text.replace(CODE, '').matchAll(LINK)].map(([, link = '']) => decodeURI(link))
  return links.filter((link) => !existsSync(join(ROOT, dirname(page), link)))
}

function markdownBelow(folder: string): readonly string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`)
}
