import { expect, test } from 'vitest'
import { openNotes, pathsFor, search } from '../../test/open-notes.ts'

const NOTES = {
  'a.md': 'lamp velvet',
  'projects/b.md': 'lamp marble',
  'projects/deep/c.md': 'lamp walnut',
  'projects.md': 'lamp',
}

test('P48: a source that cannot be listed is dirty, and its rows answer', async () => {
  const { memory, source } = await openNotes(NOTES)
  await memory.sync()
  expect((await memory.status()).isDirty).toBe(false)
  source.notes.clear()
  source.isBroken = true
  expect(await memory.status()).toMatchObject({ isDirty: true, documents: 4, degraded: [{ code: 'source-failed' }] })
  expect(await search(memory, 'velvet')).toMatchObject({
    mode: 'keywords',
    hits: [{ path: 'a.md' }],
    degraded: [{ code: 'source-failed', message: expect.stringContaining('the folder is gone') }],
  })
  expect(await search(memory, 'saffron')).toMatchObject({ mode: 'keywords', hits: [], degraded: [{ code: 'source-failed' }] })
})

test('P48: a source that cannot be listed at its first look is unavailable, not empty', async () => {
  const { memory, source } = await openNotes({})
  source.isBroken = true
  expect(await search(memory, 'velvet')).toMatchObject({ mode: 'unavailable', hits: [], degraded: [{ code: 'source-failed' }] })
  source.isBroken = false
  expect(await search(memory, 'velvet')).toMatchObject({ mode: 'keywords', hits: [], degraded: [{ code: 'nothing-indexed' }] })
})

test('P48: what lies below a folder that cannot be looked at stays, and nothing else does', async () => {
  const { memory, source } = await openNotes(NOTES)
  await memory.sync()
  source.notes.clear()
  source.skipped.set('projects', 'unreadable: link to nothing')
  expect(await memory.sync()).toMatchObject({ removed: 2 })
  expect((await pathsFor(memory, 'lamp')).sort()).toEqual(['projects/b.md', 'projects/deep/c.md'])
  source.skipped.set('projects', 'link, not followed')
  expect(await memory.sync()).toMatchObject({ removed: 2 })
})
