import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorkspace } from '../workspace.ts'

test('P31: an absolute place is known by the path it is listed under, through links and in extra paths', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mnemark-shown-')))
  for (const name of ['notes/memory', 'more/deep', 'notes/extra-inside']) mkdirSync(join(folder, name), { recursive: true })
  symlinkSync(join(folder, 'notes'), join(folder, 'link'))
  const { source } = await openWorkspace({ root: join(folder, 'link'), extraPaths: [join(folder, 'more')] })
  const shown = (...names: string[]): string | undefined => source.shownPath?.(join(folder, ...names))
  expect(shown('notes')).toBe('')
  expect(shown('link')).toBe('')
  expect(shown('notes/memory')).toBe('memory')
  expect(shown('link/memory/2026-*.md')).toBe('memory/2026-*.md')
  expect(source.shownPath?.(`${join(folder, 'notes', 'memory')}/`)).toBe('memory')
  expect(shown('more')).toBe('extra/more/')
  expect(shown('more/deep')).toBe('extra/more/deep')
  expect(shown('notes-of-others')).toBeUndefined()
  expect(shown('..')).toBeUndefined()
})
