import { runTool, toolDefinitions, toolList, wireData } from '@mnemark/tools/host'
import type { Hono } from 'hono'
import { describeRoute, validator } from 'hono-openapi'
import { withoutUndefined } from '../config/without-undefined.ts'
import { LEAST_BUDGET_TOKENS } from '../context/startup-context.ts'
import * as schemas from './api-schemas.ts'
import { callerParameters, readCaller } from './caller-headers.ts'
import { eventStream } from './event-stream.ts'
import { failed } from './failed.ts'
import { type ApiServing, badInput, callOf, described, numberOf, readJson, refuse, type RequestBody } from './route-parts.ts'
import { addSessionRoutes } from './session-routes.ts'

/** Every route of the JSON API, each with its description. */
export function addApiRoutes(app: Hono, serving: ApiServing): void {
  addReading(app, serving)
  addWriting(app, serving)
  addTools(app, serving)
  addSessionRoutes(app, serving)
  addEntities(app, serving)
}

function addReading(app: Hono, serving: ApiServing): void {
  const { memory } = serving
  app.post(
    '/v1/search',
    described('Find notes', schemas.searchReply),
    validator('json', schemas.searchBody, refuse),
    async (context) => {
      const { query, ...request } = context.req.valid('json')
      return context.json(await memory.search({ ...request, text: query }, callOf(context, serving)))
    },
  )
  app.post(
    '/v1/recall',
    described('Answer from facts and passages', schemas.recallReply),
    validator('json', schemas.recallBody, refuse),
    async (context) => context.json(await memory.recallFacts(context.req.valid('json'), callOf(context, serving))),
  )
  app.post(
    '/v1/recall/check',
    described('Ask again for the citations of an answer', schemas.checkReply),
    validator('json', schemas.checkBody, refuse),
    async (context) => context.json(await memory.checkPack(context.req.valid('json').citations, callOf(context, serving))),
  )
  app.get(
    '/v1/note',
    described('Read a note, or lines of it', schemas.noteReply),
    validator('query', schemas.noteQuery, refuse),
    async (context) => {
      const { path, from, lines, quoteHash } = context.req.valid('query')
      const request = { path, ...withoutUndefined({ from: numberOf(from), lines: numberOf(lines), quoteHash }) }
      return context.json(await memory.read(request, callOf(context, serving)))
    },
  )
  app.get(
    '/v1/notes',
    described('List notes, newest first or by path', schemas.notesReply),
    validator('query', schemas.notesQuery, refuse),
    async (context) => {
      const { source, path, tag, kind, entity, since, until, asOf, limit, tags, ...rest } = context.req.valid('query')
      const filter = withoutUndefined({
        sources: listOf(source),
        paths: listOf(path),
        tags: listOf(tag),
        kinds: listOf(kind),
        entities: listOf(entity),
        since,
        until,
        asOf,
      })
      const query = { ...rest, filter, tags: tags === 'true', ...withoutUndefined({ limit: numberOf(limit) }) }
      return context.json(await memory.list(query, callOf(context, serving)))
    },
  )
  app.get(
    '/v1/context',
    described('What a session begins with', schemas.contextReply),
    validator('query', schemas.contextQuery, refuse),
    async (context) => {
      const { budget, question } = context.req.valid('query')
      const budgetTokens = numberOf(budget)
      if (budgetTokens !== undefined && budgetTokens < LEAST_BUDGET_TOKENS)
        throw badInput(`budget: at least ${LEAST_BUDGET_TOKENS}`)
      return context.json(await memory.context(withoutUndefined({ budgetTokens, question }), callOf(context, serving)))
    },
  )
  app.get(
    '/v1/status',
    described('What is indexed, and what is not', schemas.statusReply),
    validator('query', schemas.statusQuery, refuse),
    async (context) => {
      const isDeep = context.req.valid('query').deep === 'true'
      return context.json(await memory.status({ isDeep }, callOf(context, serving)))
    },
  )
}

function addWriting(app: Hono, serving: ApiServing): void {
  const { memory } = serving
  app.post(
    '/v1/append',
    described('Write at the end of a note', schemas.appendReply),
    validator('json', schemas.appendBody, refuse),
    async (context) => {
      const { text, to } = context.req.valid('json')
      return context.json(await memory.append(text, to, callOf(context, serving)))
    },
  )
  app.post(
    '/v1/retain',
    described("Add a fact to today's log", schemas.retainReply),
    validator('json', schemas.retainBody, refuse),
    async (context) => context.json(await memory.retainFact(context.req.valid('json'), callOf(context, serving))),
  )
  app.post(
    '/v1/edit',
    described('Replace a text of a note, or insert lines', schemas.editReply),
    validator('json', schemas.editBody, refuse),
    async (context) => {
      const { path, replace, insert, ...expected } = context.req.valid('json')
      const change = changeOf(replace, insert)
      return context.json(await memory.edit(path, { ...change, ...expected }, callOf(context, serving)))
    },
  )
  app.post(
    '/v1/sync',
    described('Bring the index up to date', schemas.syncReply),
    validator('json', schemas.syncBody, refuse),
    async (context) => {
      const { force } = context.req.valid('json')
      return context.json(await memory.sync({ force }, callOf(context, serving)))
    },
  )
  app.get(
    '/v1/events',
    describeRoute({
      summary: 'Syncs as they happen',
      description: 'Server-sent events: `ready`, `progress`, `synced`, `failed`.',
      parameters: callerParameters(),
      responses: { 200: { description: 'A stream of events', content: { 'text/event-stream': {} } } },
    }),
    (context) => eventStream(context, memory, { stopping: serving.stopping, caller: readCaller(context.req.raw.headers) }),
  )
}

function addTools(app: Hono, serving: ApiServing): void {
  const { memory } = serving
  const tools = toolList(memory)
  app.get('/v1/tools', described('The tools of an agent, as JSON Schema', schemas.toolsReply), (context) =>
    context.json({ tools: toolDefinitions(tools, memory) }),
  )
  app.post('/v1/tools/:name', described('Call a tool as an agent would', schemas.toolReply, ANY_OBJECT), async (context) => {
    const tool = tools.find(({ name }) => name === context.req.param('name'))
    if (tool === undefined) {
      const names = tools.map(({ name }) => name).join(', ')
      return failed(context, 404, { code: 'not-found', message: 'There is no such tool.', next: `The tools here: ${names}.` })
    }
    const { text, data } = await runTool(tool, memory, await readJson(context), callOf(context, serving))
    return context.json({ text, data: wireData(data) })
  })
}

function addEntities(app: Hono, serving: ApiServing): void {
  const { memory } = serving
  app.get(
    '/v1/entities',
    described('List whom and what facts name, or describe one', schemas.entitiesReply),
    validator('query', schemas.entitiesQuery, refuse),
    async (context) => context.json(await memory.entities(context.req.valid('query').name, callOf(context, serving))),
  )
  for (const [op, summary] of [
    ['merge', 'Join two names'],
    ['unmerge', 'Part two names again'],
  ] as const)
    app.post(
      `/v1/entities/${op}`,
      described(summary, schemas.mergeReply),
      validator('json', schemas.mergeBody, refuse),
      async (context) => {
        const { names, yes } = context.req.valid('json')
        return context.json(await memory.mergeEntities({ op, names, isSure: yes }, callOf(context, serving)))
      },
    )
}

/** The input of a tool: GET /v1/tools describes it for each. */
const ANY_OBJECT: RequestBody = {
  description: 'The input of the tool, by its inputSchema of GET /v1/tools.',
  content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
}

function changeOf<Replace, Insert>(
  replace: Replace | undefined,
  insert: Insert | undefined,
): { readonly replace: Replace } | { readonly insert: Insert } {
  if (replace !== undefined && insert === undefined) return { replace }
  if (insert !== undefined && replace === undefined) return { insert }
  throw badInput('The body holds either replace or insert.')
}

function listOf(given: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof given === 'string' ? [given] : given
}
