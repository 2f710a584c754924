import { count, request } from '@mnemark/tools/host'
import * as v from 'valibot'

// Requests and replies of the routes for sessions.

type Schema<Checked = unknown> = v.GenericSchema<unknown, Checked>

const countText = v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/, 'expected a whole number from 1'))
const flagText = v.picklist(['true', 'false'], 'expected true or false')
const cursor = v.pipe(v.string(), v.maxLength(1_000))
const anyMembers = v.record(v.string(), v.unknown())

export const sessionParam: Schema<{ readonly session: string }> = v.strictObject({
  session: v.pipe(v.string(), v.minLength(1), v.maxLength(1_024), v.description('A key or an id, percent-encoded.')),
})

export const sessionsQuery: Schema<{ readonly limit?: string; readonly after?: string }> = request({
  limit: v.exactOptional(v.pipe(countText, v.description('At most 200; 50 when left out.'))),
  after: v.exactOptional(v.pipe(cursor, v.description('The next of the answer before.'))),
})

const time = v.pipe(v.string(), v.description('ISO 8601, UTC.'))
const session = {
  id: v.string(),
  key: v.pipe(v.nullable(v.string()), v.description('null: a transcript of another program that names none.')),
  state: v.pipe(
    v.picklist(['active', 'archived', 'deleted']),
    v.description('archived: another session of the key took over. deleted: off the list, readable until it is pruned.'),
  ),
  agent: v.string(),
  chatType: v.picklist(['direct', 'group', 'channel', 'thread']),
  channel: v.nullable(v.string()),
  previous: v.pipe(v.nullable(v.string()), v.description('The id of the session that it took over from.')),
  spawnedBy: v.pipe(v.nullable(v.string()), v.description('The key of the session that started it.')),
  createdAt: time,
  updatedAt: time,
  lastInteractionAt: v.pipe(v.nullable(v.string()), v.description('The last message of a person.')),
  messages: v.number(),
  context: v.pipe(v.nullable(v.number()), v.description('Tokens of the last measured request; null = unknown.')),
  totals: v.pipe(
    v.looseObject({ input: v.number(), output: v.number(), cacheRead: v.number(), cacheWrite: v.number() }),
    v.description('Tokens of the whole session.'),
  ),
  compactions: v.number(),
  bytes: v.number(),
}
export const sessionsReply: Schema = v.looseObject({
  sessions: v.pipe(v.array(v.looseObject(session)), v.description('The last written first.')),
  total: v.number(),
  next: v.exactOptional(v.pipe(v.string(), v.description('There are more: the after of the next page.'))),
})
export const sessionReply: Schema = v.looseObject({
  ...session,
  sessions: v.pipe(v.array(v.string()), v.description('The ids of all sessions of the key, oldest first.')),
})

export const messagesQuery: Schema<{
  readonly limit?: string
  readonly before?: string
  readonly tools?: 'true' | 'false'
  readonly branches?: 'true' | 'false'
}> = request({
  limit: v.exactOptional(v.pipe(countText, v.description('At most 200; 50 when left out.'))),
  before: v.exactOptional(v.pipe(cursor, v.description('The earlier of the answer before.'))),
  tools: v.exactOptional(v.pipe(flagText, v.description('Results of tools too.'))),
  branches: v.exactOptional(v.pipe(flagText, v.description('Messages that a rewind left too.'))),
})
export const messagesReply: Schema = v.looseObject({
  messages: v.pipe(
    v.array(
      v.looseObject({
        role: v.picklist(['user', 'assistant', 'toolResult', 'system']),
        text: v.string(),
        id: v.string(),
        sessionId: v.string(),
        line: v.number(),
        citation: v.pipe(v.string(), v.description('session:<id>.jsonl#L12; GET /v1/note reads it.')),
        timestamp: v.exactOptional(v.pipe(v.string(), v.description('Left out where it is unknown.'))),
        origin: v.exactOptional(v.pipe(v.string(), v.description('Machinery that wrote in place of a person.'))),
        speaker: v.exactOptional(v.string()),
        toolName: v.exactOptional(v.string()),
        toolCallId: v.exactOptional(v.string()),
        isError: v.exactOptional(v.boolean()),
        calls: v.exactOptional(v.pipe(v.array(v.string()), v.description('The tools that this answer called.'))),
        images: v.exactOptional(v.number()),
        isCut: v.exactOptional(v.pipe(v.boolean(), v.description('The text is the beginning of a longer one.'))),
        isAbandoned: v.exactOptional(v.pipe(v.boolean(), v.description('On a branch that a rewind left.'))),
      }),
    ),
    v.description('The last ones, the oldest of them first.'),
  ),
  earlier: v.exactOptional(v.pipe(v.string(), v.description('There are earlier ones: the before of the page with them.'))),
})

export const appendMessagesBody: Schema<{ readonly messages: readonly unknown[] }> = v.strictObject({
  messages: v.pipe(
    v.array(anyMembers),
    v.minLength(1),
    v.maxLength(1_000),
    v.description('{role, content, id?, parentId?, timestamp?, usage?, …}, as in @mnemark/sessions.'),
  ),
})
export const appendMessagesReply: Schema = v.looseObject({
  sessionId: v.string(),
  reset: v.pipe(v.nullable(v.string()), v.description('Why a new session began first; null where none did.')),
  written: v.array(
    v.looseObject({
      id: v.string(),
      isNew: v.pipe(v.boolean(), v.description('false: a message of that id stands there already.')),
    }),
  ),
})

export const resetBody: Schema<{ readonly reason: 'new' | 'reset' }> = request({
  reason: v.optional(v.picklist(['new', 'reset']), 'reset'),
})
export const resetReply: Schema = v.looseObject({
  sessionId: v.pipe(v.string(), v.description('The new session.')),
  previous: v.string(),
})

export const compactBody: Schema<{ readonly window: number; readonly focus?: string }> = request({
  window: v.pipe(count(100_000_000), v.description('Of the model that is to be asked, in tokens.')),
  focus: v.exactOptional(v.pipe(v.string(), v.maxLength(4_000), v.description('What the summary is to pay heed to.'))),
})
const why = v.pipe(v.string(), v.description('In words, where something was not done.'))
export const compactReply: Schema = v.looseObject({
  status: v.string(),
  why,
  id: v.nullable(v.string()),
  summary: v.nullable(v.string()),
  covered: v.pipe(v.number(), v.description('Messages that the summary stands for.')),
  tokensBefore: v.number(),
  flush: v.nullable(v.looseObject({ status: v.string(), path: v.nullable(v.string()), text: v.nullable(v.string()), why })),
})

export const deleteReply: Schema = v.looseObject({ deleted: v.pipe(v.array(v.string()), v.description('Ids.')) })

export const forgetBody: Schema<{ readonly messages?: readonly string[]; readonly all?: true }> = v.strictObject({
  messages: v.exactOptional(
    v.pipe(
      v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(500))),
      v.minLength(1),
      v.maxLength(1_000),
      v.description('Ids: these, with the summaries made from them, in all sessions of the key. This or all.'),
    ),
  ),
  all: v.exactOptional(v.pipe(v.literal(true), v.description('Everything that the key or id names.'))),
})
export const forgetReply: Schema = v.looseObject({
  sessions: v.pipe(v.array(v.string()), v.description('Ids of those that were erased as a whole.')),
  lines: v.number(),
  summaries: v.number(),
  notes: v.pipe(v.array(v.string()), v.description('Notes that a flush wrote into; look at them by hand.')),
  unreadable: v.number(),
})
