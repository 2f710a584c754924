import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { FOLDERS_FROM_THE_TOP } from '../package-rules.ts'
import { ARCHITECTURE_PAGE, dependencyPicture, withPicture } from './dependency-picture.ts'
import { ROOT } from './documented-home.ts'

const page = readFileSync(join(ROOT, ARCHITECTURE_PAGE), 'utf8')

test('the picture shows the packages as their manifests say; else run pnpm docs:architecture', () => {
  expect(page).toBe(withPicture(page, dependencyPicture(ROOT)))
})

test('every link leads to a file or a folder', () => {
  const links = [...page.matchAll(/\]\(([^)#:]+)\)/gu)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter((link) => !existsSync(join(ROOT, dirname(ARCHITECTURE_PAGE), link)))).toEqual([])
})

test('every place that CONTRIBUTING names is there', () => {
  const table = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split('## Where to find what')[1]?.split('\n## ')[0] ?? ''
  const places = [...table.matchAll(/`((?:apps|packages|tooling)\/[^`]+)`/gu)].map(([, place = '']) =>
    place.replace('NAME', 'openai'),
  )
  expect(places.length).toBeGreaterThan(15)
  expect(places.filter((place) => !existsSync(join(ROOT, place)))).toEqual([])
})

test.each([
  ['core', 'packages/core'],
  ['mnemark', 'apps/mnemark'],
])('the folders of %s stand in their order', (name, path) => {
  const folders = [...page.matchAll(/^\| \[`[^`]+`\]\(\.\.\/([^)]+)\)/gmu)].map(([, link = '']) => link)
  const own = folders.filter((folder) => folder.startsWith(`${path}/src/`)).map((folder) => folder.slice(`${path}/src/`.length))
  expect(own).toEqual(FOLDERS_FROM_THE_TOP[name])
})
