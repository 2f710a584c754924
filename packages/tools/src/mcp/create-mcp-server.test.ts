import { createMemory, documents } from '@mnemark/core'
import { createInMemoryStore } from '@mnemark/store-memory'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { memoryTools } from '../memory-tools.ts'
import { createMcpServer, DATA_KEY } from './index.ts'

test('P82: any backend is served to a client of MCP, and writes where there is a workspace', async () => {
  const notes = documents({ 'memory/net.md': '# Net\n\n- VLAN 10 is for guests\n- password: hunter2\n' })
  const memory = await createMemory({ store: createInMemoryStore(), workspace: notes, caller: { agentId: 'main' } })
  onTestFinished(() => memory.close())
  const written: string[] = []
  const workspace = {
    append: async (text: string, { to }: { readonly to: string }) => {
      written.push(`${to}: ${text}`)
      return { path: 'memory/net.md', status: 'appended' as const, startLine: 5, endLine: 5 }
    },
  }
  const { host } = memoryTools({ memory, workspace })
  const client = new Client({ name: 'test', version: '1' })
  const [here, there] = InMemoryTransport.createLinkedPair()
  await createMcpServer({ host, name: 'my-notes', version: '1.2.3' }).connect(there)
  await client.connect(here)
  expect(client.getServerVersion()).toMatchObject({ name: 'my-notes', version: '1.2.3' })
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toEqual(['memory_search', 'memory_get', 'memory_list', 'memory_recent', 'memory_append'])
  const found = await client.callTool({ name: 'memory_search', arguments: { query: 'guests' } })
  expect(JSON.stringify(found.content)).toContain('> - password: (hidden)')
  expect(found._meta?.[DATA_KEY]).toMatchObject({ hits: [{ path: 'memory/net.md', startLine: 1 }] })
  expect(found).not.toHaveProperty('structuredContent')
  await client.callTool({ name: 'memory_append', arguments: { text: 'x', to: 'Daily' } })
  expect(written).toEqual(['daily: x'])
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['mnemark://notes/memory/net.md'])
  await client.close()
})
