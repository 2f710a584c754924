import { linkSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addFile, makeFolder } from '../../test/make-folder.ts'
import { type ReadFile, replaceFile } from './replace-file.ts'

function asRead(absolute: string): ReadFile {
  return { path: 'a.md', absolute, stats: lstatSync(absolute), bytes: readFileSync(absolute) }
}

test.each([
  ['grew', (file: string) => writeFileSync(file, 'tea and more\n')],
  [
    'was saved by renaming',
    (file: string) => {
      writeFileSync(`${file}.new`, 'tea\n')
      renameSync(`${file}.new`, file)
    },
  ],
  ['was removed', (file: string) => rmSync(file)],
])('a file that %s after it was read is left as it is', (_how, change) => {
  const folder = makeFolder({ 'a.md': 'tea\n' })
  const absolute = join(folder, 'a.md')
  const file = asRead(absolute)
  change(absolute)
  const before = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
  expect(() => replaceFile(file, Buffer.from('coffee\n'))).toThrow(expect.objectContaining({ code: 'conflict' }))
  expect(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])).toEqual(before)
})

test('a file with a second name is cut where the new content ends, and is checked as well', () => {
  const folder = makeFolder({ 'a.md': 'a long line of tea\n' })
  const absolute = join(folder, 'a.md')
  linkSync(absolute, join(folder, 'b.md'))
  replaceFile(asRead(absolute), Buffer.from('tea\n'))
  expect(readFileSync(join(folder, 'b.md'), 'utf8')).toBe('tea\n')
  const file = asRead(absolute)
  addFile(folder, 'a.md', 'changed\n')
  expect(() => replaceFile(file, Buffer.from('x'))).toThrow(expect.objectContaining({ code: 'conflict' }))
})

test('what an editor saves into the file at the moment of renaming comes back, and nothing is left beside', () => {
  const folder = makeFolder({ 'a.md': 'tea\n' })
  const absolute = join(folder, 'a.md')
  const save = (): void => writeFileSync(absolute, 'saved by an editor\n')
  expect(replaceFile(asRead(absolute), Buffer.from('coffee\n'), save)?.toString()).toBe('saved by an editor\n')
  expect(readFileSync(absolute, 'utf8')).toBe('coffee\n')
  expect(replaceFile(asRead(absolute), Buffer.from('milk\n'))).toBeNull()
  expect(readdirSync(folder)).toEqual(['a.md'])
})

test('a link that a killed process left beside a note is no second name of it', () => {
  const folder = makeFolder({ 'a.md': 'tea\n' })
  const absolute = join(folder, 'a.md')
  linkSync(absolute, join(folder, '.mnemark-1-0a1b2c.old.tmp'))
  const { stats } = asRead(absolute)
  replaceFile(asRead(absolute), Buffer.from('coffee\n'))
  expect(readdirSync(folder)).toEqual(['a.md'])
  expect(lstatSync(absolute).ino).not.toBe(stats.ino)
})
