import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { connect, dataOf, TRANSPORTS, wordsOf } from '../harness/mcp-clients.ts'
import { serveConfig } from '../harness/serve-process.ts'
import { startServe } from '../harness/start-serve.ts'

const CONFIG = { ...JSON.parse(serveConfig()), bank: { enabled: true } }

function notes(files: Readonly<Record<string, string>> = {}, config: object = CONFIG): Sandbox {
  return new Sandbox({ 'MEMORY.md': '# Memory\n', ...files, 'mnemark.json5': JSON.stringify(config) })
}

const read = (box: Sandbox, path: string): string => readFileSync(join(box.workspace, path), 'utf8')
const logOf = (box: Sandbox): string => read(box, `memory/${readdirSync(join(box.workspace, 'memory'))[0] ?? ''}`)

test.each(TRANSPORTS)('an agent retains facts as its own, over %s', async (transport) => {
  const box = notes()
  const client = await connect(transport, box)
  const call = (input: Record<string, unknown>) => client.callTool({ name: 'memory_retain', arguments: input })
  const fact = { text: 'prefers mail', kind: 'opinion', entities: ['Mara'], confidence: 0.8 }
  const written = await call(fact)
  expect(wordsOf(written)).toMatch(/^Retained in memory\/[\d-]{10}\.md#L5-L5, \^[0-9a-z]{10}\.$/)
  expect(dataOf(written)).toMatchObject({ status: 'written', startLine: 5 })
  expect(wordsOf(await call(fact))).toMatch(/stands already in .*#L5-L5/)
  await call({ text: 'W @Nils: moved (by: person)' })
  expect(logOf(box)).toMatch(/## Retain\n\n- O\(c=0\.80\) @Mara: prefers mail \(by: agent\)\n- W @Nils: moved \(by: agent\)\n$/)
  const refused = await call({ text: 'X @Nils: moved' })
  expect(refused.isError).toBe(true)
  expect(wordsOf(refused)).toMatch(/unknown-kind: .*W @Nils: moved/s)
})

test.each(TRANSPORTS)(
  'lines that an agent wrote as plain text are its own when a later write makes facts of them, over %s',
  async (transport) => {
    const box = notes({
      'memory/a.md': '# A\r\n\r\n## Retain\r\n- W @Mara: own\r\n',
      'memory/b.md': '# B\n\n- W @Mara: own words\n',
      'memory/c.md': '# C\n\n```\n## Retain\n- W: shown\n```\n',
    })
    const client = await connect(transport, box)
    const call = async (name: string, input: Record<string, unknown>): Promise<void> => {
      const { isError } = await client.callTool({ name, arguments: input })
      expect(isError).not.toBe(true)
    }
    // By an edit: the heading comes above what was appended.
    await call('memory_append', { to: 'memory/a.md', text: '## Log\n- W @Mara: false' })
    await call('memory_edit', { path: 'memory/a.md', replace: '## Log', text: '## Retain' })
    expect(read(box, 'memory/a.md')).toBe(
      '# A\r\n\r\n## Retain\r\n- W @Mara: own\r\n\r\n## Retain\r\n- W @Mara: false (by: agent)\r\n',
    )
    // By inserted lines.
    await call('memory_edit', { path: 'memory/b.md', after: 1, line: '# B', text: '## Retain' })
    expect(read(box, 'memory/b.md')).toBe('# B\n## Retain\n\n- W @Mara: own words (by: agent)\n')
    // By an append that changes how earlier lines read: the log is edited then.
    await call('memory_append', { to: 'memory/d.md', text: 'Retain\n\n- W @Mara: false' })
    await call('memory_edit', { path: 'memory/d.md', replace: 'Retain\n', text: 'Retain\n---\n' })
    expect(read(box, 'memory/d.md')).toBe('Retain\n---\n\n- W @Mara: false (by: agent)\n')
    // By taking a fence away.
    await call('memory_edit', { path: 'memory/c.md', replace: '```\n## Retain', text: '## Retain' })
    expect(read(box, 'memory/c.md')).toBe('# C\n\n## Retain\n- W: shown (by: agent)\n```\n')
  },
)

test('an append that would make a fact of a person say something else is refused, and nothing is written', async () => {
  const log = '## Retain\n- O @Mara: own\n'
  const server = await startServe(notes({ 'memory/x.md': log }))
  const child = { to: 'memory/x.md', text: '- Evidence: a.md' }
  expect(await server.post('/v1/append', { ...child, text: '  - Confidence: 0.1' })).toMatchObject({
    status: 400,
    body: { error: { code: 'bad-input', message: expect.stringContaining('a fact of a person') } },
  })
  expect(await server.post('/v1/append', child)).toMatchObject({ status: 200 })
})

test('the tool is there where the bank is enabled and writing is allowed', async () => {
  const namesOf = async (box: Sandbox, argv: readonly string[] = []): Promise<readonly string[]> =>
    (await (await connect('stdio', box, { argv })).listTools()).tools.map(({ name }) => name)
  expect(await namesOf(notes({}, JSON.parse(serveConfig())))).not.toContain('memory_retain')
  expect(await namesOf(notes(), ['--read-only'])).not.toContain('memory_retain')
  expect(await namesOf(notes())).toContain('memory_retain')
})

test('facts that tools and HTTP append or edit are signed, and no other line', async () => {
  const box = notes({ 'memory/log.md': '# Log\n\n## Retain\n- W @Mara: likes tea\n- W @Nils: moved\n' })
  const server = await startServe(box)
  await server.post('/v1/append', { text: '- B: met Nils\n- plain', to: 'memory/log.md' })
  await server.post('/v1/append', { text: '- W: no fact here', to: 'memory/other.md' })
  await server.post('/v1/edit', { path: 'memory/log.md', replace: { old: 'likes', new: 'hates' } })
  const insert = { afterLine: 3, text: '- S @Mara: a quiet week' }
  await server.post('/v1/edit', { path: 'memory/log.md', insert })
  expect(read(box, 'memory/log.md')).toBe(
    [
      '# Log\n\n## Retain',
      '- S @Mara: a quiet week (by: agent)',
      '- W @Mara: hates tea (by: agent)',
      '- W @Nils: moved',
      '- B: met Nils (by: agent)',
      '- plain\n',
    ].join('\n'),
  )
  expect(read(box, 'memory/other.md')).toBe('- W: no fact here\n')
})

test('POST /v1/retain writes without the tool, checks its input, and obeys read-only servers and scopes', async () => {
  const box = notes({}, JSON.parse(serveConfig()))
  const server = await startServe(box)
  const { status, body } = await server.post('/v1/retain', { text: '@Mara lives in Bergen', on: '2026-03-01' })
  expect({ status, body }).toMatchObject({ status: 200, body: { status: 'written', startLine: 5, endLine: 5, conflict: null } })
  expect(logOf(box)).toContain('- W @Mara: lives in Bergen (on: 2026-03-01) (by: agent)\n')
  for (const input of [
    {},
    { text: 'x', confidence: 2 },
    { text: 'x', kind: 'rumour' },
    { text: 'x', other: 1 },
    { text: 'W @: x' },
  ])
    expect(await server.post('/v1/retain', input)).toMatchObject({ status: 400, body: { error: { code: 'bad-input' } } })
  const readOnly = await startServe(notes({}, JSON.parse(serveConfig({ readOnly: true }))))
  expect(await readOnly.post('/v1/retain', { text: 'x' })).toMatchObject({ status: 403, body: { error: { code: 'read-only' } } })
  const scoped = await startServe(notes({}, { ...JSON.parse(serveConfig()), memory: { scope: { default: 'deny' } } }))
  expect(await scoped.post('/v1/retain', { text: 'x' })).toMatchObject({ status: 403, body: { error: { code: 'denied' } } })
})

test('a fact that another note has is reported to those who may see that note', async () => {
  const page = '# World\n\n- W @Mara: moved to Bergen (on: 2026-03-01)\n'
  const server = await startServe(notes({ 'bank/world.md': page }, JSON.parse(serveConfig())))
  await server.post('/v1/sync', {})
  const fact = { text: '@Mara moved to Bergen', on: '2026-03-01' }
  const group = { 'mnemark-chat-type': 'group' }
  expect(await server.post('/v1/retain', fact)).toMatchObject({ body: { status: 'exists', path: 'bank/world.md', startLine: 3 } })
  expect(await server.post('/v1/retain', fact, group)).toMatchObject({
    body: { status: 'written', path: expect.stringMatching(/^memory/) },
  })
})
