import { createQmdBackend, planCollections, qmdHome } from '@mnemark/store-qmd'
import { openWorkspace } from '@mnemark/workspace'

const [root = '.', stateFolder = '.mnemark', question = 'router', command = 'qmd'] = process.argv.slice(2)
const notes = await openWorkspace({ root })
const memory = createQmdBackend({
  home: qmdHome(stateFolder, 'main'),
  collections: planCollections({ workspace: root }),
  reader: notes.reader,
  command,
})
const { indexed, unchanged } = await memory.sync()
console.log(`${indexed} read, ${unchanged} unchanged`)
const reply = await memory.search({ text: question, caller: { agentId: 'main' }, limit: 3 })
for (const { citation, snippet } of reply.hits) console.log(`${citation}: ${snippet.split('\n')[0]}`)
await memory.close()
