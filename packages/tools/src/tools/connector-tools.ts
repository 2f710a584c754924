import { visibleName } from '@mnemark/spec'
import * as v from 'valibot'
import { harmlessName, inEnvelope, neutralise } from '../reply/data-envelope.ts'
import type { MemoryTool, ToolAnswer } from '../definition/memory-tool.ts'
import { noteAddress } from './note-address.ts'
import { readPlace } from './note-place.ts'
import { request } from '../definition/tool-input.ts'

// The two tools that ChatGPT's connectors and deep research require of a server, in their documented form: one text each, which
// is JSON.

const HITS = 10
const MOST_LINES = 1_000_000
const TEXT = v.pipe(v.string(), v.minLength(1), v.maxLength(4_096))

export const connectorSearch: MemoryTool<{ readonly query: string }> = {
  name: 'search',
  title: 'Search',
  effects: { isReadOnly: true, isIdempotent: true },
  input: request({ query: v.pipe(TEXT, v.description('Words or a question, in any language.')) }),
  aliases: {},
  describe: () => 'Finds notes of the memory. Answers a list of results with id, title and url; fetch reads one.',
  run: async (host, { query }, call) => {
    const { hits } = await host.search({ text: query, limit: HITS }, call)
    const results = hits.map(({ path, citation, attributes }) => ({
      id: idOf(path, citation),
      title: [harmlessName(path), attributes?.to].filter((part) => part !== undefined).join(', '),
      url: noteAddress(path),
    }))
    return asJson({ results })
  },
}

export const connectorFetch: MemoryTool<{ readonly id: string }> = {
  name: 'fetch',
  title: 'Fetch',
  effects: { isReadOnly: true, isIdempotent: true },
  input: request({ id: v.pipe(TEXT, v.description('The id of a result of search.')) }),
  aliases: {},
  describe: () => 'Reads the whole note behind a result of search, by its id.',
  run: async (host, { id }, call) => {
    const { path } = readPlace(id)
    const reply = await host.read({ path, lines: MOST_LINES }, call)
    const name = harmlessName(reply.path)
    const text = reply.status === 'not-found' ? `There is no note ${name}.` : inEnvelope(neutralise(reply.text))
    const more = reply.nextFrom === undefined ? {} : { nextFrom: String(reply.nextFrom) }
    return asJson({
      id: harmlessName(id),
      title: name,
      text,
      url: noteAddress(reply.path),
      metadata: { status: reply.status, ...more },
    })
  },
}

/** The citation by which the note is read again; a name that could pass for somebody else's words is encoded as a URI. */
function idOf(path: string, citation: string): string {
  const shown = visibleName(citation)
  return harmlessName(citation) === shown ? shown : noteAddress(path) + citation.slice(path.length)
}

function asJson(data: ToolAnswer['data']): ToolAnswer {
  return { text: JSON.stringify(data), data }
}
