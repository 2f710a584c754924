import type { Hono } from 'hono'
import { validator } from 'hono-openapi'
import { withoutUndefined } from '../config/without-undefined.ts'
import { type ApiServing, badInput, callOf, described, numberOf, refuse } from './route-parts.ts'
import * as schemas from './session-schemas.ts'

const MOST = 200

/** The routes of conversations. Those that change more than a caller's own are the owner's alone. */
export function addSessionRoutes(app: Hono, serving: ApiServing): void {
  addReading(app, serving)
  addAppending(app, serving)
  addManaging(app, serving)
}

function addReading(app: Hono, serving: ApiServing): void {
  const { transcripts } = serving.memory
  app.get(
    '/v1/sessions',
    described('List conversations', schemas.sessionsReply),
    validator('query', schemas.sessionsQuery, refuse),
    async (context) => {
      const { limit, after } = context.req.valid('query')
      return context.json(await transcripts.list({ limit: limitOf(limit), after }, callOf(context, serving)))
    },
  )
  app.get(
    '/v1/sessions/:session',
    described('Describe a conversation', schemas.sessionReply),
    validator('param', schemas.sessionParam, refuse),
    async (context) => context.json(await transcripts.show(context.req.valid('param').session, callOf(context, serving))),
  )
  app.get(
    '/v1/sessions/:session/messages',
    described('Read what was said', schemas.messagesReply),
    validator('param', schemas.sessionParam, refuse),
    validator('query', schemas.messagesQuery, refuse),
    async (context) => {
      const { limit, before, tools, branches } = context.req.valid('query')
      const { session } = context.req.valid('param')
      const asked = withoutUndefined({ limit: limitOf(limit), before })
      const request = { session, tools: tools === 'true', branches: branches === 'true', ...asked }
      return context.json(await transcripts.history(request, callOf(context, serving)))
    },
  )
}

function addAppending(app: Hono, serving: ApiServing): void {
  app.post(
    '/v1/sessions/:session/messages',
    described('Append messages', schemas.appendMessagesReply),
    validator('param', schemas.sessionParam, refuse),
    validator('json', schemas.appendMessagesBody, refuse),
    async (context) => {
      const { messages } = context.req.valid('json')
      const { session } = context.req.valid('param')
      return context.json(await serving.memory.transcripts.append(session, messages, callOf(context, serving)))
    },
  )
}

function addManaging(app: Hono, serving: ApiServing): void {
  const { transcripts } = serving.memory
  app.post(
    '/v1/sessions/:session/reset',
    described('Begin a new session', schemas.resetReply),
    validator('param', schemas.sessionParam, refuse),
    validator('json', schemas.resetBody, refuse),
    async (context) => {
      const { reason } = context.req.valid('json')
      return context.json(await transcripts.reset(context.req.valid('param').session, reason, callOf(context, serving)))
    },
  )
  app.post(
    '/v1/sessions/:session/compact',
    described('Summarise older messages', schemas.compactReply),
    validator('param', schemas.sessionParam, refuse),
    validator('json', schemas.compactBody, refuse),
    async (context) => {
      const { session } = context.req.valid('param')
      return context.json(await transcripts.compact(session, context.req.valid('json'), callOf(context, serving)))
    },
  )
  app.delete(
    '/v1/sessions/:session',
    described('Take a conversation off the list', schemas.deleteReply),
    validator('param', schemas.sessionParam, refuse),
    async (context) => context.json(await transcripts.delete(context.req.valid('param').session, callOf(context, serving))),
  )
  app.post(
    '/v1/sessions/:session/forget',
    described('Erase for good', schemas.forgetReply),
    validator('param', schemas.sessionParam, refuse),
    validator('json', schemas.forgetBody, refuse),
    async (context) => {
      const { messages, all } = context.req.valid('json')
      // Nothing is erased because a member was misspelt or left blank.
      if ((messages === undefined) === (all === undefined)) throw badInput('The body holds either messages or all: true.')
      const { session } = context.req.valid('param')
      return context.json(await transcripts.forget(session, messages ?? 'all', callOf(context, serving)))
    },
  )
}

function limitOf(text: string | undefined): number | undefined {
  const limit = numberOf(text)
  if (limit !== undefined && limit > MOST) throw badInput(`limit: expected a whole number from 1 to ${MOST}`)
  return limit
}
