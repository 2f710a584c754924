import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { figuresOf } from './figures.ts'

test('counts what the sources import, and leaves tests out', () => {
  const root = mkdtempSync(join(tmpdir(), 'mnemark-figures-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const files: Readonly<Record<string, string>> = {
    'package.json': '{}',
    'src/index.ts': "import { a, type B } from './text/a.ts'\nexport { a }\nexport type { B }\n",
    'src/text/a.ts': "/** Of a. */\nimport type { C } from './c.ts'\nexport const a = 1\nexport type B = C\n",
    'src/text/c.ts': "// What c is.\nimport { a } from './a.ts'\nexport type C = typeof a\n",
    'src/text/c.test.ts': "// What it tests.\nimport './c.ts'\n",
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(root, 'packages/core', dirname(file)), { recursive: true })
    writeFileSync(join(root, 'packages/core', file), text)
  }
  expect(Object.fromEntries(figuresOf(root))).toEqual({
    files: '3',
    'files that one other file imports': '1',
    'largest folder': 'packages/core/src/text (2)',
    'circles of files': '1',
    'circles of folders': '1',
    'imports of a folder that stands higher': '0',
    'names imported a file': '1.3',
    'comments that begin with a fragment': '2',
  })
})
