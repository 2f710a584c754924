import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const example = fileURLToPath(new URL('./search-notes.ts', import.meta.url))
const notes = fileURLToPath(new URL('../workspace', import.meta.url))
const qmd = join(dirname(fileURLToPath(import.meta.resolve('@tobilu/qmd'))), '../bin/qmd')

test('the real program indexes the notes once and finds the printer', () => {
  const state = mkdtempSync(join(tmpdir(), 'example-qmd-'))
  onTestFinished(() => rmSync(state, { recursive: true, force: true }))
  const run = (): string[] => {
    const args = ['--conditions=mnemark-source', '--no-warnings', example, notes, state, 'printer multicast', qmd]
    return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim().split('\n')
  }
  const [read, first] = run()
  expect(read).toMatch(/^\d+ read, 0 unchanged$/)
  expect(first).toMatch(/^(?:memory|bank|MEMORY)\S*#L\d+-L\d+: /)
  expect(run()).toEqual([read?.replace(/^(\d+) read, 0/, '0 read, $1'), first, ...run().slice(2)])
})
