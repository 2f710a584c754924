import { createMemory } from '@mnemark/core'
import { createOllama } from '@mnemark/embed-ollama'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { openWorkspace } from '@mnemark/workspace'

const memory = await createMemory({
  store: await openSqliteStore({ path: 'notes.sqlite' }),
  workspace: await openWorkspace({ root: 'notes' }),
  embeddings: [createOllama({ baseUrl: process.argv[2] })], // without an address: the server on this machine
  caller: { agentId: 'main' },
})
await memory.sync()
const { hits, mode, provider } = await memory.search({ text: 'where do I print' })
console.log(hits[0]?.citation, mode, provider)
await memory.close()
