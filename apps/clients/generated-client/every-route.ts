import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './schema.d.ts'

/** Calls every route of a server by the client that was generated from its description. Resolves with the routes called, such as `get /v1/note`; rejects where an answer is not what the description says. */
export async function callEveryRoute(baseUrl: string, token: string): Promise<readonly string[]> {
  const called: string[] = []
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } })
  client.use({
    onRequest: ({ request, schemaPath }) => void called.push(`${request.method.toLowerCase()} ${schemaPath}`),
  })
  const search = await client.POST('/v1/search', {
    params: { header: { 'Mnemark-Chat-Type': 'direct' } },
    body: { query: 'vlan', limit: 3, filter: { paths: ['memory/'] } },
  })
  const [hit] = required(search).hits
  if (hit === undefined) throw new Error('nothing was found')
  const { path, startLine, quoteHash = '' } = hit
  const note = required(await client.GET('/v1/note', { params: { query: { path, from: String(startLine), quoteHash } } }))
  const listed = required(await client.GET('/v1/notes', { params: { query: { limit: '1' } } }))
  const context = required(await client.GET('/v1/context', { params: { query: { budget: '1000' } } }))
  const status = required(await client.GET('/v1/status'))
  const appended = required(await client.POST('/v1/append', { body: { text: '- tea at five', to: 'memory' } }))
  const edited = required(
    await client.POST('/v1/edit', { body: { path: appended.path, replace: { old: 'tea at five', new: 'tea at six' } } }),
  )
  if (edited.startLine !== appended.startLine) throw new Error('the edit is not where the text was')
  const retained = required(await client.POST('/v1/retain', { body: { text: 'likes tea', kind: 'opinion', entities: ['Mara'] } }))
  const recalled = required(await client.POST('/v1/recall', { body: { question: 'what does Mara like', kinds: ['opinion'] } }))
  const { citations } = required(await client.POST('/v1/recall/check', { body: { citations: recalled.facts } }))
  if (citations.some(({ status }) => status !== 'same')) throw new Error('what was recalled is not found again')
  const said = await everyRouteOfSessions(client)
  await joinAndPart(client)
  const report = required(await client.POST('/v1/sync', { body: { force: false } }))
  const { tools } = required(await client.GET('/v1/tools'))
  const input: Record<string, unknown> = { query: 'tea' }
  const answer = required(await client.POST('/v1/tools/{name}', { params: { path: { name: 'memory_search' } }, body: input }))
  await firstEvent(await client.GET('/v1/events', { parseAs: 'stream' }))
  const numbers: readonly number[] = [
    note.endLine,
    appended.startLine,
    retained.startLine,
    status.documents,
    report.total,
    context.tokens,
  ]
  const texts: readonly string[] = [
    note.text,
    answer.text,
    ...said,
    ...recalled.facts.map(({ source }) => source),
    ...listed.notes.map((each) => each.path),
    ...tools.map(({ name }) => name),
  ]
  const data: unknown = answer.data['hits']
  if (numbers.some(Number.isNaN) || texts.includes('') || !Array.isArray(data))
    throw new Error('an answer lacks what it should have')
  const refused = await client.GET('/v1/note', { params: { query: { path: '../x' } } })
  if (refused.error?.error.code !== 'refused') throw new Error('a refusal has another form')
  return called
}

/** Resolves with texts that must not be empty. */
async function everyRouteOfSessions(client: ReturnType<typeof createClient<paths>>): Promise<readonly string[]> {
  const params = { path: { session: 'agent:main:chat:group:a/b' } }
  const appended = required(
    await client.POST('/v1/sessions/{session}/messages', { params, body: { messages: [{ role: 'user', content: 'hello' }] } }),
  )
  const { sessions } = required(await client.GET('/v1/sessions', { params: { query: { limit: '5' } } }))
  const shown = required(await client.GET('/v1/sessions/{session}', { params }))
  const { messages } = required(
    await client.GET('/v1/sessions/{session}/messages', { params: { ...params, query: { limit: '5', tools: 'true' } } }),
  )
  const compacted = required(await client.POST('/v1/sessions/{session}/compact', { params, body: { window: 8_000 } }))
  const moved = required(await client.POST('/v1/sessions/{session}/reset', { params, body: { reason: 'new' } }))
  const { deleted } = required(await client.DELETE('/v1/sessions/{session}', { params }))
  const forgotten = required(await client.POST('/v1/sessions/{session}/forget', { params, body: { all: true } }))
  if (shown.id !== appended.sessionId || moved.previous !== shown.id || !forgotten.sessions.includes(shown.id))
    throw new Error('a session is not the one it was')
  return [compacted.why, ...deleted, ...sessions.map(({ id }) => id), ...messages.map(({ citation }) => citation)]
}

async function joinAndPart(client: Client<paths>): Promise<void> {
  required(await client.POST('/v1/retain', { body: { text: 'likes milk', entities: ['Marah'] } }))
  const { entities, suggestions } = required(await client.GET('/v1/entities', { params: { query: { name: 'Mara' } } }))
  const joined = required(await client.POST('/v1/entities/merge', { body: { names: ['Mara', 'Marah'] } }))
  const parted = required(await client.POST('/v1/entities/unmerge', { body: { names: ['Mara', 'Marah'], yes: false } }))
  const counts: readonly (number | undefined)[] = [entities[0]?.facts, joined.entity.facts, parted.entity.facts]
  if (counts.join() !== '1,2,1' || joined.changes[0]?.path !== parted.done?.path || suggestions === undefined)
    throw new Error('names were not joined and parted')
}

function required<Data>({ data, error }: { readonly data?: Data; readonly error?: unknown }): NonNullable<Data> {
  if (data === undefined || data === null) throw new Error(`no answer: ${JSON.stringify(error)}`)
  return data
}

async function firstEvent({ data }: { readonly data?: ReadableStream<Uint8Array> | null }): Promise<void> {
  const reader = data?.getReader()
  await reader?.read()
  await reader?.cancel()
}
