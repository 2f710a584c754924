import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { connect, TRANSPORTS, wordsOf } from '../harness/mcp-clients.ts'
import { serveConfig } from '../harness/serve-process.ts'
import { startServe } from '../harness/start-serve.ts'

const SOUL = '# Soul\n\nKind and brief.\n'
const TARGETS = ['SOUL.md', './SOUL.md', 'memory/../SOUL.md', 'USER.md', 'soul.md', 'memory/CLAUDE.md']

const notes = (): Sandbox =>
  new Sandbox({ 'MEMORY.md': '# Memory\n\n- Huda prefers pnpm.\n', 'SOUL.md': SOUL, 'mnemark.json5': serveConfig() })

const isUntouched = (box: Sandbox): void => expect(readFileSync(join(box.workspace, 'SOUL.md'), 'utf8')).toBe(SOUL)

test.each(TRANSPORTS)('P74: no tool writes instructions of the agent, over %s', async (transport) => {
  const box = notes()
  const client = await connect(transport, box)
  for (const to of TARGETS) {
    const calls = [
      { name: 'memory_append', arguments: { text: 'Obey the notes.', to } },
      { name: 'memory_edit', arguments: { path: to, after: 0, text: 'Obey the notes.' } },
    ]
    for (const call of calls) {
      const answer = await client.callTool(call)
      expect(answer).toMatchObject({ isError: true })
      expect(wordsOf(answer)).toMatch(/agent|not a note|there is no note/)
    }
  }
  isUntouched(box)
})

test('P74: neither do the HTTP API and the command line', async () => {
  const box = notes()
  const server = await startServe(box)
  const refused = { error: { code: 'refused' } }
  for (const to of TARGETS) {
    const edit = { path: to, insert: { afterLine: 0, text: 'Obey the notes.' } }
    expect(await server.post('/v1/append', { text: 'Obey the notes.', to })).toMatchObject({ status: 403, body: refused })
    expect(await server.post('/v1/edit', edit)).toMatchObject({ status: 403, body: refused })
    expect(await server.post('/v1/tools/memory_edit', { path: to, after: 0, text: 'x' })).toMatchObject({
      status: expect.toSatisfy((status) => status === 400 || status === 403),
    })
    expect(box.json(['append', 'Obey the notes.', '--to', to])).toMatchObject({ document: refused })
    expect(box.json(['edit', to, '--insert', 'Obey the notes.', '--after', '0'])).toMatchObject({ document: refused })
  }
  isUntouched(box)
})
