import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { quoteHash, type ReadReply } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { addFile, makeFolder } from '../../test/make-folder.ts'
import { openWorkspace } from '../workspace.ts'

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

test('paths are held to the same rules with a quote hash as without', async () => {
  const root = makeFolder({ 'memory/net.md': note })
  addFile(root, 'outside.txt', '- VLAN 20 is for guests')
  await expect(readQuoted(root, '../outside.md')).rejects.toMatchObject({ code: 'refused' })
  await expect(readQuoted(root, 'outside.txt')).rejects.toMatchObject({ code: 'refused' })
})
