import { createMemory } from '@mnemark/core'
import { createInMemoryStore } from '@mnemark/testkit'

const notes = new Map([
  ['MEMORY.md', '- Deploys go through the blue cluster.\n- Invoice numbers look like OC-41252.\n'],
  ['memory/2026-03-14.md', 'قررنا تأجيل الإطلاق إلى يوم الأحد.\n'],
  ['memory/2026-03-15.md', '东京的会议改到星期五。\n'],
])

const memory = await createMemory({
  store: createInMemoryStore(),
  sources: [
    {
      id: 'memory',
      async *list() {
        for (const [path, text] of notes) yield { source: 'memory', path, size: text.length, modifiedAtMs: 0 }
      },
      read: async ({ path }) => ({ text: notes.get(path) ?? '' }),
    },
  ],
  reader: {
    read: async ({ path }) => {
      const text = notes.get(path)
      return text === undefined
        ? { path, status: 'not-found', text: '', startLine: 0, endLine: 0 }
        : { path, status: 'ok', text, startLine: 1, endLine: text.split('\n').length - 1 }
    },
  },
})

for (const text of ['اطلاق', '会议', 'OC-41252', 'deploying by cluster']) {
  const { hits } = await memory.search({ text, caller: { agentId: 'main' } })
  console.log(hits[0]?.citation, hits[0]?.snippet)
}
await memory.close()
