import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { quoteHash, type ReadReply } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { addFile, makeFolder } from '../../test/make-folder.ts'
import { openWorkspace } from '../workspace.ts'
import { readQuote } from './read-quote.ts'

const note = '# Network\n\n- VLAN 10 is for the things of the house\n- VLAN 20 is for guests\n'
const quoted = quoteHash('- VLAN 20 is for guests')

async function readQuoted(
  root: string,
  path: string,
  range: { readonly from?: number; readonly lines?: number } = {},
): Promise<ReadReply> {
  const { reader } = await openWorkspace({ root })
  return reader.read({ path, ...range, quoteHash: quoted, caller: { agentId: 'main' } })
}

test('a citation with its quote hash says whether the text is still there', async () => {
  const root = makeFolder({ 'memory/net.md': note })
  const there = { status: 'ok', text: '- VLAN 20 is for guests', startLine: 4, endLine: 4, moved: 'same' }
  expect(await readQuoted(root, 'memory/net.md#L4-L4')).toMatchObject(there)
  expect(await readQuoted(root, 'memory/net.md', { from: 4, lines: 1 })).toMatchObject(there)
  expect(await readQuoted(root, 'memory/net.md')).toMatchObject(there)
})

test('text that moved within its note is read from where it is now', async () => {
  const root = makeFolder({ 'memory/net.md': note.replace('# Network\n', '# Network\n\nNew first words.\n') })
  expect(await readQuoted(root, 'memory/net.md#L4-L4')).toMatchObject({
    moved: 'moved',
    startLine: 6,
    text: '- VLAN 20 is for guests',
  })
})

test('text that changed is read as it is now, and said to have changed', async () => {
  const root = makeFolder({ 'memory/net.md': note.replace('for guests', 'for guests and phones') })
  expect(await readQuoted(root, 'memory/net.md#L4')).toMatchObject({
    moved: 'changed',
    startLine: 4,
    text: '- VLAN 20 is for guests and phones',
  })
})

test('text that went to another note is found there, also when its own note is gone', async () => {
  const root = makeFolder({ 'memory/net.md': '# Network\n', 'memory/archive/net.md': note })
  expect(await readQuoted(root, 'memory/net.md#L4')).toMatchObject({
    moved: 'moved',
    path: 'memory/archive/net.md',
    startLine: 4,
  })
  rmSync(join(root, 'memory/net.md'))
  expect(await readQuoted(root, 'memory/net.md#L4')).toMatchObject({
    moved: 'moved',
    path: 'memory/archive/net.md',
    startLine: 4,
  })
})

test('text that is nowhere any more is gone, and no other text is given in its place', async () => {
  const root = makeFolder({ 'memory/net.md': '# Network\n\n- nothing\n- else\n' })
  expect(await readQuoted(root, 'memory/net.md#L4')).toMatchObject({ moved: 'gone', text: '', startLine: 0 })
  expect(await readQuoted(root, 'memory/none.md#L4')).toMatchObject({ moved: 'gone', status: 'not-found' })
})

test('B106: a range that holds less than the text now does is not the same; lines and numbers are of one state of the note', async () => {
  const spread = note.replace('\n- VLAN 20', '\n\n- VLAN 20')
  const root = makeFolder({ 'memory/net.md': spread })
  const { source, reader } = await openWorkspace({ root })
  const both = quoteHash(note.split('\n').slice(2, 4).join('\n'))
  const request = { path: 'memory/net.md#L3-L4', caller: { agentId: 'main' } }
  expect(await reader.read({ ...request, quoteHash: both })).toMatchObject({ moved: 'moved', startLine: 3, endLine: 5 })
  let saves = 0
  const changing = {
    ...source,
    read: async (...read: Parameters<typeof source.read>) => {
      const content = await source.read(...read)
      saves += 1
      addFile(root, 'memory/net.md', `${'New words.\n'.repeat(Math.min(saves, 2) * 3)}${note}`)
      return content
    },
  }
  const reply = await readQuote(request, quoted, { source: changing, read: (lines) => reader.read(lines) })
  expect(reply).toMatchObject({ text: '- VLAN 20 is for guests', startLine: 10, moved: 'moved' })
  expect(saves).toBe(3)
})

test('paths are held to the same rules with a quote hash as without', async () => {
  const root = makeFolder({ 'memory/net.md': note })
  addFile(root, 'outside.txt', '- VLAN 20 is for guests')
  await expect(readQuoted(root, '../outside.md')).rejects.toMatchObject({ code: 'refused' })
  await expect(readQuoted(root, 'outside.txt')).rejects.toMatchObject({ code: 'refused' })
})
