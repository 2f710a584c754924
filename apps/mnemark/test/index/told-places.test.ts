import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { connect } from '../harness/mcp-clients.ts'
import type { ConnectOptions, TransportName } from '../harness/mcp-clients.ts'
import { serveConfig } from '../harness/serve-process.ts'

/** The remark that every answer brings with it names a folder that is not there. */
const notes = (): Sandbox =>
  new Sandbox({
    'MEMORY.md': '# Memory\n',
    'memory/net.md': '# Net\n\n- VLAN 10\n',
    'mnemark.json5': serveConfig({}, { extraPaths: ['~/a disk that is gone'] }),
  })

const CALLS = [
  { name: 'memory_search', arguments: { query: 'vlan' } },
  { name: 'memory_list', arguments: {} },
  { name: 'memory_recent', arguments: {} },
  { name: 'memory_get', arguments: { path: '/etc/passwd' } },
]

async function toldBy(
  transport: TransportName,
  options: ConnectOptions,
): Promise<{ readonly told: string; readonly box: Sandbox }> {
  const box = notes()
  const client = await connect(transport, box, options)
  const answers = []
  for (const call of CALLS) answers.push(await client.callTool(call))
  return { told: JSON.stringify(answers), box }
}

test.each<readonly [TransportName, string, ConnectOptions]>([
  ['stdio', 'a group', { argv: ['--chat-type', 'group'] }],
  ['http', 'a group', { headers: { 'mnemark-chat-type': 'group' } }],
  ['http', 'the owner', {}],
])('P74: over %s %s is not told where things lie on this machine', async (transport, _who, options) => {
  const { told, box } = await toldBy(transport, options)
  expect(told).toContain('extra path …')
  expect(told).not.toContain(box.root)
  expect(told).not.toContain('disk that is gone')
})

test('P74: the owner over stdio, on this machine, is told', async () => {
  expect((await toldBy('stdio', {})).told).toContain('a disk that is gone')
})
