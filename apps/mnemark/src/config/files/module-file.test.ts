import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ConfigError } from '@mnemark/spec'
import { filesOfModule } from './module-file.ts'

test.each([['./part.mjs'], ['./part.mjs?v=1'], ['./part.mjs#top'], ['./p%61rt.mjs'], ['./p%61rt.mjs?%']])(
  'a file that a module imports as %s belongs to it',
  (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'mnemark-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'own.mjs'), `import '${name}'\n`)
    writeFileSync(join(folder, 'part.mjs'), '')
    expect(filesOfModule(join(folder, 'own.mjs')).map((file) => basename(file))).toEqual(['own.mjs', 'part.mjs'])
  },
)

test('a module that names more files than are looked through is refused, not half covered', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const parts = Array.from({ length: 501 }, (_, at) => `part-${at}.mjs`)
  for (const part of parts) writeFileSync(join(folder, part), '')
  writeFileSync(join(folder, 'own.mjs'), parts.map((part) => `import './${part}'`).join('\n'))
  expect(() => filesOfModule(join(folder, 'own.mjs'))).toThrow(ConfigError)
})
