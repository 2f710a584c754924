import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { apiReport } from './api-report.ts'

/** The code of the one entry `.` of a package with these built files. */
function reportOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'mnemark-api-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  const manifest = { name: 'mine', exports: { '.': { types: './index.d.ts', default: './index.js' } } }
  return /```ts\n([\s\S]*?)\n```/.exec(apiReport(manifest, root))?.[1] ?? ''
}

test('what others see, in the order of its names, and nothing else', () => {
  const report = reportOf({
    'index.d.ts':
      "export type { Note } from './note.ts';\nexport { open as openNotes } from './open.js';\nexport declare const MOST = 9;\n",
    'note.d.ts':
      '/** A note. */\nexport interface Note {\n    /** Its place. */\n    readonly path: string;\n}\nexport interface Inner {}\n',
    'open.d.ts':
      "import { Note } from './note.ts';\ndeclare function open(path: string): Note;\ndeclare function open(path: URL): Note;\nexport { open };\n",
  })
  expect(report).toBe(
    [
      'export const MOST = 9;',
      'export interface Note {\n    readonly path: string;\n}',
      '// as openNotes\nexport function open(path: string): Note;\nexport function open(path: URL): Note;',
    ].join('\n'),
  )
})

test('names of other packages, whole files and imported names are followed', () => {
  const report = reportOf({
    'index.d.ts':
      "import { A } from './a.js';\nexport * from './star.js';\nexport * from 'all';\nexport { B } from 'other';\nexport { A };\n",
    'a.d.ts': 'export declare class A {\n    #private;\n    close(): void;\n}\n',
    'star.d.ts': "export { C } from './c.js';\n",
    'c.d.ts': 'export type C = 1 | 2;\n',
  })
  expect(report).toBe(
    [
      "export * from 'all';",
      'export class A {\n    #private;\n    close(): void;\n}',
      "export { B } from 'other';",
      'export type C = 1 | 2;',
    ].join('\n'),
  )
})

test('a changed parameter changes the report', () => {
  const [before, after] = ['string', 'number'].map((type) =>
    reportOf({ 'index.d.ts': `export declare function find(text: ${type}): void;\n` }),
  )
  expect(before).not.toBe(after)
})

test('an entry that was not built is named', () => {
  expect(() => reportOf({})).toThrow(/index\.d\.ts is missing: run pnpm run build first/)
})
