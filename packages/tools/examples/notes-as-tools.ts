import { createMemory, documents } from '@mnemark/core'
import { createInMemoryStore } from '@mnemark/store-memory'
import { memoryTools } from '@mnemark/tools'

const notes = documents({ 'memory/2026-03-14.md': '- The printer is on VLAN 20.\n' })
await using memory = await createMemory({ store: createInMemoryStore(), workspace: notes, caller: { agentId: 'main' } })

const tools = memoryTools({ memory })
console.log(tools.definitions.map(({ name }) => name)) // for any model API; tools.aiSdk for the AI SDK

const { text, data } = await tools.call('memory_search', { query: 'printer' }) // what a model called
console.log(text) // for the model: in the envelope
console.log(data['hits']) // for the program
