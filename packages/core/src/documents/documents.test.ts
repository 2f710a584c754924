import type { DocumentSource, ReadReply, ReadRequest } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { type DocumentTexts, documents } from './documents.ts'

const read = (texts: DocumentTexts, request: Omit<ReadRequest, 'caller'>): Promise<ReadReply> =>
  documents(texts).reader.read({ ...request, caller: { agentId: 'main' } })

async function listed(items: ReturnType<DocumentSource['list']> | undefined) {
  const all = []
  for await (const item of items ?? []) all.push(item)
  return all
}

const HUNDREDS = Array.from({ length: 300 }, (_, at) => `line ${at + 1}`).join('\n')

test('a Map, entries and an object make the same documents', async () => {
  const made = [new Map([['a.md', 'lamp']]), [['a.md', 'lamp']] as const, { 'a.md': 'lamp' }].map((texts) => documents(texts))
  const all = await Promise.all(made.map(({ source }) => listed(source.list())))
  expect(new Set(all.map((each) => JSON.stringify(each))).size).toBe(1)
  expect(all[0]).toMatchObject([{ source: 'memory', path: 'a.md', size: 4 }])
})

test('an equal text is an equal version in any process, another text another one', async () => {
  const versionOf = async (text: string) => (await listed(documents({ 'a.md': text }).source.list()))[0]
  expect(await versionOf('lamp')).toEqual(await versionOf('lamp'))
  expect(await versionOf('lamp')).not.toEqual(await versionOf('ramp'))
})

test('asked about some documents, a source names those that are there', async () => {
  const { source } = documents({ 'a.md': 'lamp', 'b.md': 'router' })
  const asked = source.stat?.([
    { source: 'memory', path: 'b.md' },
    { source: 'memory', path: 'c.md' },
  ])
  expect(await listed(asked)).toMatchObject([{ path: 'b.md' }])
})

test('reading goes by whole lines, 120 of them where no number is asked for, and says where to go on', async () => {
  const reply = await read({ 'a.md': HUNDREDS }, { path: 'a.md' })
  expect(reply).toMatchObject({ status: 'ok', startLine: 1, endLine: 120, nextFrom: 121 })
  expect(await read({ 'a.md': HUNDREDS }, { path: 'a.md', from: 299, lines: 9 })).toEqual({
    path: 'a.md',
    status: 'ok',
    text: 'line 299\nline 300',
    startLine: 299,
    endLine: 300,
  })
})

test('long lines end a reading at 12,000 characters, and one line alone is given whole', async () => {
  const long = 'x'.repeat(9_000)
  expect(await read({ 'a.md': `${long}\n${long}` }, { path: 'a.md' })).toMatchObject({ endLine: 1, nextFrom: 2, text: long })
  expect(await read({ 'a.md': long.repeat(2) }, { path: 'a.md' })).toMatchObject({ endLine: 1, text: long.repeat(2) })
})

test('a citation is read as its lines, unless a document has that very name', async () => {
  const texts = { 'a.md': HUNDREDS, 'a.md#L1': 'another' }
  expect(await read(texts, { path: 'a.md#L2-L3' })).toMatchObject({ path: 'a.md', text: 'line 2\nline 3' })
  expect(await read(texts, { path: 'a.md#L1' })).toMatchObject({ path: 'a.md#L1', text: 'another' })
})

test('what is not there, empty or past its end says so without a text', async () => {
  const texts = { 'a.md': 'one\r\ntwo\r\n', 'b.md': '' }
  expect(await read(texts, { path: 'c.md' })).toMatchObject({ status: 'not-found', text: '', startLine: 0 })
  expect(await read(texts, { path: 'b.md' })).toMatchObject({ status: 'empty', text: '' })
  expect(await read(texts, { path: 'a.md', from: 3 })).toMatchObject({
    status: 'ok',
    text: '',
    note: expect.stringContaining('2 lines'),
  })
  await expect(read(texts, { path: 'a.md', from: 0 })).rejects.toMatchObject({ code: 'refused' })
})

test('a blank path and what is no text are refused with the path', () => {
  expect(() => documents({ ' ': 'lamp' })).toThrow(/expected a path/)
  // @ts-expect-error: a number is no text.
  expect(() => documents({ 'a.md': 7 })).toThrow(/"a.md" has no text/)
})
