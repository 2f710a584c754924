import { createMemory, documents } from '@mnemark/core'
import { createInMemoryStore } from '@mnemark/store-memory'

const notes = documents({ 'home.md': 'The printer is in VLAN 10.' })
const memory = await createMemory({ store: createInMemoryStore(), workspace: notes, caller: { agentId: 'main' } })
notes.put('trip.md', '东京的会议改到星期五。')
for (const text of ['printers', '会议']) {
  const [hit] = (await memory.search({ text })).hits
  console.log(hit?.citation, (await memory.read({ path: hit?.path ?? '' })).text)
}
await memory.close()
