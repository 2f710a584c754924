import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMemoryTools } from '../../src/operations/open-memory-tools.ts'
import type { AgentTools } from '../../src/operations/open-memory-tools.ts'
import { openApp } from '../harness/in-process-app.ts'
import { Sandbox } from '../harness/launcher.ts'

async function open(files: Readonly<Record<string, string>>): Promise<{ readonly tools: AgentTools; readonly box: Sandbox }> {
  const box = new Sandbox(files)
  const tools = await openMemoryTools({ workspace: box.workspace, state: join(box.root, 'state') })
  onTestFinished(() => tools.close())
  return { tools, box }
}

test('P77: memory_list pages through 250 notes, each once, in every order of calls', async () => {
  const names = Array.from({ length: 250 }, (_, index) => `memory/${String(index).padStart(3, '0')} ملاحظة.md`)
  const { tools } = await open({ 'MEMORY.md': '# M\n', ...Object.fromEntries(names.map((name) => [name, 'x\n'])) })
  for (const limit of [200, 60, '٩٩']) {
    const listed: string[] = []
    for (let after: unknown; ; ) {
      const { text, data } = await tools.call('memory_list', {
        limit,
        paths: 'memory/',
        ...(after === undefined ? {} : { after }),
      })
      expect(text).toContain('\n250 notes.')
      listed.push(...(data['notes'] as readonly { path: string }[]).map(({ path }) => path))
      after = data['next']
      expect(text.includes(`More with after: ${String(after)}`)).toBe(after !== undefined)
      if (after === undefined) break
    }
    expect(listed).toEqual(names)
  }
})

test('P77: recent notes come by their day, undated ones last, and all the same where none has one', async () => {
  const { tools } = await open({
    'MEMORY.md': '# M\n',
    'memory/a.md': 'a\n',
    'memory/2026-03-14.md': 'x\n',
    'memory/2025-12-31.md': 'x\n',
  })
  const { text } = await tools.call('memory_recent', {})
  expect(text.match(/(?<=^> )\S+ \(\S+?(?=[,)])/gm)).toEqual([
    'memory/2026-03-14.md (2026-03-14',
    'memory/2025-12-31.md (2025-12-31',
    'MEMORY.md (undated',
    'memory/a.md (undated',
  ])
  const undated = await open({ 'MEMORY.md': '# M\n', 'memory/a.md': 'a\n' })
  expect((await undated.tools.call('memory_recent', { limit: '1' })).text).toMatch(
    /> MEMORY\.md \(undated, M\)[\s\S]*\n2 notes\./,
  )
})

test('a forged cursor, a long one and one with line breaks are refused in words, and name nothing', async () => {
  const { ask } = await openApp({ 'MEMORY.md': '# M\n' })
  const forged = Buffer.from(JSON.stringify(['path', '../../etc/passwd', 'memory', '', ''])).toString('base64url')
  for (const after of ['x', 'x'.repeat(9_000), 'x\r\nSet-Cookie: a=b', '\u0000', 'W10', forged]) {
    const tool = await ask('/v1/tools/memory_list', { method: 'POST', body: JSON.stringify({ after }) })
    const route = await ask(`/v1/notes?order=path&after=${encodeURIComponent(after)}`)
    for (const answer of [tool, route]) {
      expect([after.slice(0, 20), answer.status]).toEqual([after.slice(0, 20), after === forged ? 200 : 400])
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(await answer.text()).not.toContain('passwd')
    }
  }
})

test('text of 10 MB is refused by every tool that takes some, and nothing is written', async () => {
  const { tools, box } = await open({ 'MEMORY.md': '# M\n' })
  const long = 'a'.repeat(10_000_000)
  for (const [name, input] of [
    ['memory_append', { text: long, to: 'memory' }],
    ['memory_append', { text: 'x', to: long }],
    ['memory_edit', { path: 'MEMORY.md', after: 0, text: long }],
    ['memory_edit', { path: 'MEMORY.md', replace: long, text: 'x' }],
    ['memory_search', { query: long }],
    ['memory_search', { query: 'x', tags: long }],
    ['memory_get', { path: long }],
    ['memory_list', { after: long }],
  ] as const) {
    const { isError, text } = await tools.call(name, input)
    expect([name, isError, text.length < 1_000]).toEqual([name, true, true])
  }
  expect(readFileSync(join(box.workspace, 'MEMORY.md'), 'utf8')).toBe('# M\n')
})

test('P77: front matter is text of the note: a word that stands in both is two places, and what else stands there is not told', async () => {
  const note = '---\ntitle: tea\n---\n\n- tea, quokka\n'
  const { tools, box } = await open({ 'MEMORY.md': '# M\n', 'memory/a.md': note })
  const edit = (input: object) => tools.call('memory_edit', { path: 'memory/a.md', ...input })
  for (const input of [
    { replace: 'tea', text: 'rum' },
    { replace: 'coffee', text: 'rum' },
    { after: 5, line: '- tea, wombat', text: 'x' },
    { after: 99, line: '- tea, quokka', text: 'x' },
  ]) {
    const { text, data } = await edit(input)
    expect(data).toMatchObject({ error: { code: 'conflict' } })
    expect(text).not.toContain('quokka')
  }
  writeFileSync(join(box.workspace, 'memory/a.md'), `${note}- more\n`)
  expect(await edit({ replace: 'title: tea', text: 'title: rum' })).toMatchObject({ data: { status: 'edited', startLine: 2 } })
  expect(readFileSync(join(box.workspace, 'memory/a.md'), 'utf8')).toBe(`${note.replace('title: tea', 'title: rum')}- more\n`)
})

test('P70: an answer that an agent writes down is not found again, and a mark without its end hides nothing', async () => {
  const { tools } = await open({ 'MEMORY.md': '# M\n\n- zebra lives in Oslo\n', 'memory/b.md': '# b\n\n- quagga\n' })
  const { text } = await tools.call('memory_search', { query: 'zebra' })
  expect(await tools.call('memory_edit', { path: 'memory/b.md', after: 3, line: '- quagga', text })).toMatchObject({
    isError: false,
  })
  expect(await tools.call('memory_append', { to: 'memory/c.md', text: `${text}\n` })).toMatchObject({ isError: false })
  const found = await tools.call('memory_search', { query: 'zebra' })
  expect((found.data['hits'] as readonly { path: string }[]).map(({ path }) => path)).toEqual(['MEMORY.md'])
  await tools.call('memory_append', { to: 'memory/d.md', text: '<!-- mnemark:recalled -->\nokapi' })
  expect((await tools.call('memory_search', { query: 'okapi' })).text).toContain('> [1] memory/d.md')
})

test('memory_append twice writes once, in any script', async () => {
  const { tools, box } = await open({ 'MEMORY.md': '# M\n' })
  const append = () => tools.call('memory_append', { text: '- شاي الساعة 5', to: 'memory/tea.md' })
  expect(await append()).toMatchObject({ data: { status: 'appended' } })
  expect(await append()).toMatchObject({ data: { status: 'duplicate' }, text: expect.stringContaining('nothing was written') })
  expect(readFileSync(join(box.workspace, 'memory/tea.md'), 'utf8')).toBe('- شاي الساعة 5\n')
})

test('P76: POST /v1/edit says what looks like a secret, and writes it', async () => {
  const { ask } = await openApp({ 'MEMORY.md': '# M\n\n- tea\n' })
  const edit = async (body: object): Promise<unknown> =>
    (await ask('/v1/edit', { method: 'POST', body: JSON.stringify({ path: 'MEMORY.md', ...body }) })).json()
  const warned = { status: 'edited', warning: expect.stringContaining('looks like a password or key') }
  expect(await edit({ replace: { old: '- tea', new: '- password: hunter2-x' } })).toMatchObject(warned)
  expect(await edit({ insert: { afterLine: 3, text: '- 密码：hunter2-y' } })).toMatchObject(warned)
  expect(await edit({ insert: { afterLine: 3, text: '- tea' } })).not.toHaveProperty('warning')
})
