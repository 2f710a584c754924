import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { recall } from './bot.ts'

let workspace: string

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'mnemark-chat-bot-'))
  mkdirSync(join(workspace, 'memory'))
  writeFileSync(join(workspace, 'MEMORY.md'), '# Memory\n\n- مفتاح المكتب عند نور.\n')
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }))
})

const written = (): string =>
  readdirSync(join(workspace, 'memory'))
    .map((name) => readFileSync(join(workspace, 'memory', name), 'utf8'))
    .join('')

test('what one person told it, the other and their group are given', async () => {
  await recall({ kind: 'direct', from: 'huda', text: 'Remember: the launch is on 14 March, 東京 office too' }, workspace)
  expect(written()).toContain('the launch is on 14 March, 東京 office too')
  for (const [kind, from] of [
    ['direct', 'noor'],
    ['group', 'team'],
  ] as const)
    expect(await recall({ kind, from, text: 'when is the launch?' }, workspace)).toContain('the launch is on 14 March')
})

test('notes are found in their own script; in a group the model is told to name no places', async () => {
  const asked = { text: 'اين المفتاح' }
  expect(await recall({ kind: 'direct', from: 'noor', ...asked }, workspace)).toMatch(/MEMORY\.md[^]*مفتاح المكتب عند نور/u)
  const inGroup = await recall({ kind: 'group', from: 'team', ...asked }, workspace)
  expect(inGroup).toContain('مفتاح المكتب عند نور')
  expect(inGroup).toContain('Do not name paths or lines of notes to the user.')
})

test.each([
  { kind: 'direct', from: 'stranger' },
  { kind: 'direct', from: 'huda2' },
  { kind: 'direct', from: 'team' },
  { kind: 'group', from: 'huda' },
] as const)('$kind $from is told nothing and writes nothing', async (chat) => {
  expect(await recall({ ...chat, text: 'المفتاح' }, workspace)).not.toContain('عند نور')
  await recall({ ...chat, text: 'remember: I was here' }, workspace)
  expect(written()).not.toContain('I was here')
})
