import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A path in a new folder that is removed after the test. */
export function temporaryPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'store-sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'index.sqlite')
}
