import { expect, onTestFinished, test } from 'vitest'
import { makeWorkspace } from './made-workspace.ts'
import { editNotes, indexAll, measureSize, searchWarm, syncUnchanged } from './steps.ts'

test('every step measures the product on the notes that were made', async () => {
  const workspace = makeWorkspace('en', 60)
  onTestFinished(() => workspace.remove())
  const { setup } = workspace

  const index = await indexAll(setup)
  expect(index.documents).toBe(setup.noteCount)
  expect(index.chunks).toBeGreaterThan(45)
  expect(index.chunks).toBeLessThan(75)

  const size = await measureSize(setup)
  expect(size.keywordBytes).toBeGreaterThan(10_000)
  expect(size.fileBytes).toBeGreaterThan(size.keywordBytes)

  const search = await searchWarm(setup, 12)
  expect([search.wallMs, search.cpuMs, search.wholeMs].map(({ length }) => length)).toEqual([12, 6, 12])
  expect(search.emptyCount).toBe(0)
  expect(await syncUnchanged(setup, 2)).toHaveLength(2)

  const { edits } = await editNotes(setup, 3)
  expect(edits).toHaveLength(3)
  for (const { walBytes, textBytes } of edits) expect(walBytes).toBeGreaterThan(textBytes)
})

test('notes that are no files are indexed and searched too', async () => {
  const workspace = makeWorkspace('ar', 60)
  onTestFinished(() => workspace.remove())
  const setup = { ...workspace.setup, isVirtual: true }
  expect((await indexAll(setup)).documents).toBe(setup.noteCount)
  expect((await searchWarm(setup, 5)).emptyCount).toBe(0)
})
