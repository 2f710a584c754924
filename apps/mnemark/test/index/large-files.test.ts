import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)

test('B89: under a heap of 256 MB a 200 MB note is skipped and read by lines, and 60 MB that grow are indexed in parts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-large-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'memory'))
  writeFileSync(join(folder, 'memory', 'small.md'), 'a small note\n')
  const script = fileURLToPath(new URL('../harness/large-files-process.ts', import.meta.url))
  const { stdout } = await run(process.execPath, ['--max-old-space-size=256', '--conditions=mnemark-source', script, folder], {
    timeout: 590_000,
  })
  const result = JSON.parse(stdout)
  expect(result.first).toMatchObject({ total: 61, indexed: 61, isComplete: true })
  expect(result.first.skipped).toEqual([{ source: 'memory', path: 'memory/huge.md', skipped: 'larger than 10 MB' }])
  // The line that was added is in the last part, and no other was read again.
  expect(result.second).toMatchObject({ total: 61, indexed: 1, unchanged: 60 })
  expect(result.reads).toEqual([59])
  expect(result.hit).toBe('growing.md')
  expect(result.text).toBe('line 2 of a note that is too large\nline 3 of a note that is too large')
})
