import { createMemory, documents } from '@mnemark/core'
import { createInMemoryStore } from '@mnemark/store-memory'

/** Notes by path, indexed in this tab; answers with the place, the score and the text of the best hits. Nothing leaves the page. */
export async function openNotes(texts: Readonly<Record<string, string>>) {
  const memory = await createMemory({
    store: createInMemoryStore(),
    workspace: documents(texts),
    caller: { agentId: 'reader' },
    settings: { timeZone: 'UTC', language: 'en' },
  })
  return async (text: string) => {
    const { hits } = await memory.search({ text, limit: 3 })
    return hits.map(({ citation, score, snippet }) => ({ citation, score, snippet }))
  }
}
