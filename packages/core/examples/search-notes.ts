import { createMemory, documents } from '@mnemark/core'
import { createInMemoryStore } from '@mnemark/testkit'

const notes = documents({
  'MEMORY.md': '- Deploys go through the blue cluster.\n- Invoice numbers look like OC-41252.\n',
  'memory/2026-03-14.md': 'قررنا تأجيل الإطلاق إلى يوم الأحد.\n',
  'memory/2026-03-15.md': '东京的会议改到星期五。\n',
})
const memory = await createMemory({ store: createInMemoryStore(), workspace: notes, caller: { agentId: 'main' } })

for (const text of ['اطلاق', '会议', 'OC-41252', 'deploying by cluster']) {
  const { hits } = await memory.search({ text })
  console.log(hits[0]?.citation, hits[0]?.snippet)
}
await memory.close()
