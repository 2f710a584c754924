import { linkSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addFile, makeFolder } from '../test/make-folder.ts'
import { replaceFile } from './replace-file.ts'

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
  const stats = lstatSync(absolute)
  change(absolute)
  const before = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
  expect(() => replaceFile({ path: 'a.md', absolute, stats }, Buffer.from('coffee\n'))).toThrow(
    expect.objectContaining({ code: 'conflict' }),
  )
  expect(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])).toEqual(before)
})

test('a file with a second name is cut where the new content ends, and is checked as well', () => {
  const folder = makeFolder({ 'a.md': 'a long line of tea\n' })
  const absolute = join(folder, 'a.md')
  linkSync(absolute, join(folder, 'b.md'))
  replaceFile({ path: 'a.md', absolute, stats: lstatSync(absolute) }, Buffer.from('tea\n'))
  expect(readFileSync(join(folder, 'b.md'), 'utf8')).toBe('tea\n')
  const stats = lstatSync(absolute)
  addFile(folder, 'a.md', 'changed\n')
  expect(() => replaceFile({ path: 'a.md', absolute, stats }, Buffer.from('x'))).toThrow(
    expect.objectContaining({ code: 'conflict' }),
  )
})
