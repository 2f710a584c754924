import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newFolder } from '../__fixtures__/sessions-folder.ts'

const FULL_DISK = fileURLToPath(new URL('../__fixtures__/full-disk.ts', import.meta.url))

test.skipIf(process.platform === 'win32')(
  'a disk that is full in the middle of an append keeps what was there, and says so',
  async () => {
    const command = `ulimit -f 200; exec "${process.execPath}" --conditions=mnemark-source --no-warnings "$0" "$1"`
    const { stdout } = await promisify(execFile)('bash', ['-c', command, FULL_DISK, newFolder()])
    const { failed, before, after, texts } = JSON.parse(stdout)
    expect(failed).toMatch(/^The transcript of agent:main:main cannot be written: .*EFBIG.* Nothing was added to it\.$/u)
    expect(after).toBe(before)
    expect(texts).toEqual(['before', 'after'])
  },
)
