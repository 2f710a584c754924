import { createMemory, documents } from '@mnemark/core'
import { createSearcher, makeSnippet } from '@mnemark/core/search'
import { createInMemoryStore } from '@mnemark/store-memory'

const store = createInMemoryStore()
const workspace = documents({ 'MEMORY.md': '- Deploys go through the blue cluster.\n- Lunch is at noon.\n' })
const memory = await createMemory({ store, workspace })
await memory.sync()
const search = createSearcher({ settings: { timeZone: 'UTC', citations: 'off' } })
const { hits } = await search(await store.snapshot(), { text: 'blue cluster' })
console.log(hits[0]?.citation, hits[0]?.snippet)
const text = `${'Nothing of it here. '.repeat(9)}The lamp is in the cellar. ${'Nothing here either. '.repeat(9)}`
console.log(makeSnippet({ text, matches: [{ start: 184, end: 188, weight: 1 }], maxCharacters: 40 }))
await memory.close()
