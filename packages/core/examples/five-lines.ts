import { createMemory, documents } from '@mnemark/core'
import { createInMemoryStore } from '@mnemark/store-memory'
const notes = documents({ 'home.md': 'The printer is in VLAN 10.', 'trip.md': '东京的会议改到星期五。' })
const memory = await createMemory({ store: createInMemoryStore(), workspace: notes, caller: { agentId: 'main' } })
for (const text of ['printers', '会议']) console.log((await memory.search({ text })).hits[0]?.citation)
