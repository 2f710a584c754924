import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { createMemory } from '@mnemark/core'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { openWorkspace } from '@mnemark/workspace'

/**
 * Searches a folder of Markdown: `GET /search?q=WORDS&limit=5` answers `{"hits": [{path, line, score, text}]}`. Pages that change are read again
 * with the next search. Closing the server closes the index.
 */
export async function openDocsServer(folder: string, index: string): Promise<Server> {
  const memory = await createMemory({
    store: await openSqliteStore({ path: index }),
    workspace: await openWorkspace({ root: folder }),
    caller: { agentId: 'reader' },
  })
  await memory.sync()

  const search = async (words: string, limit: number): Promise<unknown> => {
    const { hits } = await memory.search({ text: words, limit })
    return { hits: hits.map(({ path, line, score, snippet }) => ({ path, line, score, text: snippet })) }
  }
  const server = createServer(async ({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const [words, limit] = [searchParams.get('q') ?? '', Number(searchParams.get('limit') ?? 5)]
    const say = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
    }
    if (pathname !== '/search') return say(404, { error: 'There is only GET /search?q=WORDS.' })
    if (words.trim() === '' || !(Number.isInteger(limit) && limit >= 1 && limit <= 20))
      return say(400, { error: 'Give words as q, and a limit of 1 to 20.' })
    try {
      say(200, await search(words, limit))
    } catch {
      say(503, { error: 'The search failed. Try again.' })
    }
  })
  return server.on('close', () => void memory.close())
}

if (import.meta.main) {
  const [folder = 'docs', index = 'docs.sqlite'] = process.argv.slice(2)
  const server = await openDocsServer(folder, index)
  server.listen(8080, '127.0.0.1', () => console.log('http://127.0.0.1:8080/search?q=WORDS'))
}
