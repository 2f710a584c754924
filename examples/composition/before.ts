import { createMemory } from '@mnemark/core'
import type { CallerContext, DocumentReader, DocumentSource } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/store-memory'

const notes = new Map([['home.md', 'The printer is in VLAN 10.']])
const versions = new Map([['home.md', 1]])

const source: DocumentSource = {
  id: 'memory',
  async *list() {
    for (const [path, text] of notes)
      yield { source: 'memory', path, size: text.length, modifiedAtMs: 0, version: String(versions.get(path)) }
  },
  read: async ({ path }) => {
    const text = notes.get(path)
    if (text === undefined) throw new Error(`${path} is gone`)
    return { text }
  },
}
const reader: DocumentReader = {
  read: async ({ path, from = 1, lines = 120 }) => {
    const all = notes.get(path)?.split('\n')
    if (all === undefined) return { path, status: 'not-found', text: '', startLine: 0, endLine: 0 }
    const wanted = all.slice(from - 1, from - 1 + lines)
    return { path, status: 'ok', text: wanted.join('\n'), startLine: from, endLine: from + wanted.length - 1 }
  },
}
const caller: CallerContext = { agentId: 'main' }

const memory = await createMemory({ store: createInMemoryStore(), sources: [source], reader })
notes.set('trip.md', '东京的会议改到星期五。')
versions.set('trip.md', 1)
for (const text of ['printers', '会议']) {
  const [hit] = (await memory.search({ text, caller })).hits
  console.log(hit?.citation, (await memory.read({ path: hit?.path ?? '', caller })).text)
}
await memory.close()
