import { createMemory } from '@mnemark/core'
import { openWorkspace } from '@mnemark/workspace'
import { KeyValueFile } from './key-value-file.ts'
import { createKeyValueStore } from './key-value-store.ts'

const [root = '.', file = 'index.json', text = 'printer'] = process.argv.slice(2)
const { source, reader } = await openWorkspace({ root })
const memory = await createMemory({ store: createKeyValueStore(new KeyValueFile(file)), sources: [source], reader })
const { hits } = await memory.search({ text, caller: { agentId: 'main' }, limit: 3 })
for (const { citation, snippet } of hits) console.log(`${citation}: ${snippet.split('\n')[0]}`)
await memory.close()
