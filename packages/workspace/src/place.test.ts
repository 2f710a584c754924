import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../test/make-folder.ts'
import { openWorkspace } from './workspace.ts'

test('P64: a note has a place on this machine, by its path, place or citation, and nothing else has', async () => {
  const root = makeFolder({ 'MEMORY.md': 'a\nb\n', 'memory/شبكة.md': 'x\n', 'memory/a:3.md': 'x\n' })
  const more = makeFolder({ 'rules.md': 'x\n' })
  const workspace = await openWorkspace({ root, extraPaths: [more] })
  const file = (...names: readonly string[]): string => join(realpathSync(root), ...names)
  expect(await workspace.place('MEMORY.md')).toEqual({ path: 'MEMORY.md', file: file('MEMORY.md') })
  expect(await workspace.place('MEMORY.md:2')).toEqual({ path: 'MEMORY.md', file: file('MEMORY.md'), line: 2 })
  expect(await workspace.place('memory/شبكة.md#L1-L4')).toMatchObject({ file: file('memory', 'شبكة.md'), line: 1 })
  // A file of exactly this name takes precedence over a line of another.
  expect(await workspace.place('memory/a:3.md')).toEqual({ path: 'memory/a:3.md', file: file('memory', 'a:3.md') })
  const extra = await workspace.place(join(more, 'rules.md'))
  expect(extra).toMatchObject({ path: expect.stringMatching(/^extra\/.*rules\.md$/), file: join(realpathSync(more), 'rules.md') })
  expect(await workspace.place(extra?.path ?? '')).toEqual(extra)
  expect(await workspace.place('memory/none.md')).toBeNull()
  for (const path of ['../outside.md', '/etc/passwd', 'memory/a.txt', '']) {
    await expect(workspace.place(path)).rejects.toMatchObject({ code: 'refused' })
  }
})
