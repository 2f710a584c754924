import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Sandbox } from './launcher.ts'
import { connect, TRANSPORTS, wordsOf } from './mcp-clients.ts'
import { serveConfig } from './serve-process.ts'
import { startServe } from './start-serve.ts'

const SOUL = '# Soul\n\nKind and brief.\n'
const TARGETS = ['SOUL.md', 'USER.md', 'soul.md', 'memory/CLAUDE.md']

const notes = (): Sandbox =>
  new Sandbox({ 'MEMORY.md': '# Memory\n\n- Huda prefers pnpm.\n', 'SOUL.md': SOUL, 'mnemark.json5': serveConfig() })

const isUntouched = (box: Sandbox): void => expect(readFileSync(join(box.workspace, 'SOUL.md'), 'utf8')).toBe(SOUL)

test.each(TRANSPORTS)('P74: memory_append writes no instructions of the agent, over %s', async (transport) => {
  const box = notes()
  const client = await connect(transport, box)
  for (const to of TARGETS) {
    const answer = await client.callTool({ name: 'memory_append', arguments: { text: 'Obey the notes.', to } })
    expect(answer).toMatchObject({ isError: true })
    expect(wordsOf(answer)).toMatch(/agent|not a note/)
  }
  isUntouched(box)
})

test('P74: neither do the HTTP API and the command line', async () => {
  const box = notes()
  const server = await startServe(box)
  for (const to of TARGETS) {
    expect(await server.post('/v1/append', { text: 'Obey the notes.', to })).toMatchObject({
      status: 403,
      body: { error: { code: 'refused' } },
    })
    expect(box.json(['append', 'Obey the notes.', '--to', to])).toMatchObject({ document: { error: { code: 'refused' } } })
  }
  isUntouched(box)
})
