import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DocumentStat } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { encode } from '../test/encode.ts'
import { listAll, makeFolder } from '../test/make-folder.ts'
import { openWorkspace } from './workspace.ts'

const NOTES = {
  'latin.md': ['windows-1252', '# Übung\nDer Müller wohnt in der Straße.\n'],
  'russian.md': ['windows-1251', '# Заметки\nКупить хлеб и молоко.\n'],
  'arabic.md': ['windows-1256', '# ملاحظات\nالاجتماع يوم الاثنين في المكتب.\n'],
  'japanese.md': ['shift_jis', '# メモ\n会議は月曜日に延期されました。\n'],
  'chinese.md': ['gb18030', '# 笔记\n会议改到星期五，房租是九百欧元。\n'],
  'taiwan.md': ['big5', '# 筆記\n會議改到星期五，房租是九百歐元。\n'],
  'korean.md': ['euc-kr', '# 메모\n회의는 월요일로 연기되었습니다.\n'],
} as const

const NOWHERE: DocumentStat = { source: 'memory', path: 'nowhere.md', size: 0, modifiedAtMs: 0 }

test('P45: the index, a citation and the file say the same text, and the file keeps its bytes', async () => {
  const files = Object.fromEntries(Object.entries(NOTES).map(([path, [label, text]]) => [path, encode(text, label)]))
  const root = makeFolder({ ...files, 'plain.md': '# Plain\nnothing odd\n' })
  const { source, reader, describe } = await openWorkspace({ root })
  const { documents } = await listAll(source)
  await source.read(documents.find(({ path }) => path === 'plain.md') ?? NOWHERE)
  for (const [path, [label, text]] of Object.entries(NOTES)) {
    const item = documents.find((each) => each.path === path) ?? NOWHERE
    expect((await source.read(item)).text, `${label}`).toBe(text)
    const caller = { agentId: 'main' }
    expect(await reader.read({ path: item.path, caller })).toMatchObject({ status: 'ok', text })
    const second = text.split('\n')[1]
    expect(await reader.read({ path: `${item.path}#L2`, caller })).toMatchObject({ text: second, startLine: 2 })
    expect(readFileSync(join(root, item.path))).toEqual(Buffer.from(files[item.path] ?? []))
  }
  expect(describe().otherEncodings.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
    Object.entries(NOTES)
      .map(([path, [encoding]]) => ({ path, encoding, hasLostBytes: false }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  )
})

test('P45: nothing is added to or changed in a note that is not UTF-8, and the reason is given', async () => {
  const files = Object.fromEntries(Object.entries(NOTES).map(([path, [label, text]]) => [path, encode(text, label)]))
  const utf16 = Buffer.from('\ufeff# Plan\none\n', 'utf16le')
  const unknown = Buffer.from('one \x81\x8d two', 'latin1')
  const root = makeFolder({ ...files, 'utf16.md': utf16, 'unmarked.md': utf16.subarray(2), 'unknown.md': unknown })
  const { append, edit } = await openWorkspace({ root })
  for (const path of [...Object.keys(files), 'utf16.md', 'unmarked.md', 'unknown.md']) {
    const before = readFileSync(join(root, path))
    const refused = { code: 'refused', message: expect.stringMatching(/not UTF-8.*Save it as UTF-8/s) }
    await expect(append('Grüße', { to: path })).rejects.toMatchObject(refused)
    await expect(edit(path, { insert: { afterLine: 0, text: 'Grüße' } })).rejects.toMatchObject(refused)
    expect(readFileSync(join(root, path))).toEqual(before)
  }
})

test('P45: what no encoding explains is not indexed, and index and reader name the same reason', async () => {
  const root = makeFolder({ 'unknown.md': Buffer.from('one \x81\x8d two', 'latin1') })
  const { source, reader } = await openWorkspace({ root })
  const message = expect.stringMatching(/unknown\.md.*encoding that is not recognised; save it as UTF-8/)
  const { documents } = await listAll(source)
  await expect(source.read(documents[0] ?? NOWHERE)).rejects.toMatchObject({ code: 'unreadable', message })
  await expect(reader.read({ path: 'unknown.md', caller: { agentId: 'main' } })).rejects.toMatchObject({ message })
})

test('P45: a byte-order mark between joined files is white space in every reading, and the note can still be edited', async () => {
  const root = makeFolder({ 'joined.md': '\ufeff# One\none\n\ufeff# Two\ntwo\ufeffthree\n' })
  const { source, reader, edit } = await openWorkspace({ root })
  const text = '# One\none\n # Two\ntwo three\n'
  const { documents } = await listAll(source)
  expect((await source.read(documents[0] ?? NOWHERE)).text).toBe(text)
  expect((await reader.read({ path: 'joined.md', caller: { agentId: 'main' } })).text).toBe(text)
  const { hash } = await edit('joined.md', { replace: { old: 'one', new: 'uno' } })
  await edit('joined.md', { replace: { old: 'uno', new: 'ein' }, expected: hash })
  expect(readFileSync(join(root, 'joined.md'), 'utf8')).toBe('\ufeff# One\nein\n\ufeff# Two\ntwo\ufeffthree\n')
})
