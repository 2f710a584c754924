import { visibleName } from '@mnemark/spec'
import * as v from 'valibot'
import type { MemoryTool, ToolAnswer } from '../definition/memory-tool.ts'
import { count, request } from '../definition/tool-input.ts'
import type { HistoryMessage, HistoryRequest, ListedSession, SessionsHost, ToolHost } from '../host/host.ts'
import { DATA_NOTICE, harmlessName, inEnvelope, neutralise, recalled } from '../reply/data-envelope.ts'

const MOST = 100
const LISTED = 20
const MESSAGES = 20
/** Longer messages are cut; the citation reads the rest. */
const MOST_CHARACTERS = 4_000

const cursor = v.pipe(v.string(), v.maxLength(1_000))

const listInput = request<{ readonly limit?: number; readonly after?: string }>({
  limit: v.exactOptional(v.pipe(count(MOST), v.description(`Default ${LISTED}.`))),
  after: v.exactOptional(v.pipe(cursor, v.description('Next page: what the page before says.'))),
})

const historyInput = request<Omit<HistoryRequest, 'mostCharacters'>>({
  session: v.pipe(v.string(), v.minLength(1), v.maxLength(1_024), v.description('A key or id, as sessions_list shows it.')),
  limit: v.exactOptional(v.pipe(count(MOST), v.description(`Messages. Default ${MESSAGES}.`))),
  before: v.exactOptional(v.pipe(cursor, v.description('Earlier ones: what the page before says.'))),
  tools: v.exactOptional(v.pipe(v.boolean(), v.description('Results of tools too.'))),
})

/** Lists the conversations that the caller may see. */
export const sessionsList: MemoryTool<{ readonly limit?: number; readonly after?: string }> = {
  name: 'sessions_list',
  title: 'List conversations',
  effects: { isReadOnly: true, isIdempotent: true },
  input: listInput,
  aliases: { cursor: 'after', maxresults: 'limit', n: 'limit' },
  describe: () => 'Lists earlier conversations, the last one first, with the key and id by which sessions_history reads them.',
  run: async (host, { limit = LISTED, after }, call) => {
    const reply = await sessionsOf(host).list({ limit, ...(after !== undefined && { after }) }, call)
    const { sessions, total, next } = reply
    if (sessions.length === 0) return { text: 'No conversations.', data: { sessions, total } }
    const more = next === undefined ? [] : [`More with after: ${next}`]
    return {
      text: [inEnvelope(sessions.map(sessionLine).join('\n')), `${total} in all.`, ...more].join('\n'),
      data: { notice: DATA_NOTICE, ...reply, sessions: sessions.map(dataOfSession) },
    }
  },
}

/** Reads what was said in a conversation, the last messages first asked for. */
export const sessionsHistory: MemoryTool<Omit<HistoryRequest, 'mostCharacters'>> = {
  name: 'sessions_history',
  title: 'Read a conversation',
  effects: { isReadOnly: true, isIdempotent: true },
  input: historyInput,
  aliases: { key: 'session', id: 'session', sessionkey: 'session', sessionid: 'session', cursor: 'before', n: 'limit' },
  describe: () =>
    'Reads the last messages of a conversation, also of what came before /new or a daily reset. A citation in it can be read with memory_get.',
  run: async (host, { limit = MESSAGES, ...asked }, call) => {
    const reply = await sessionsOf(host).history({ ...asked, limit, mostCharacters: MOST_CHARACTERS }, call)
    const { messages, earlier } = reply
    if (messages.length === 0) return { text: 'No messages.', data: { messages } }
    const more = earlier === undefined ? [] : [`Earlier messages with before: ${earlier}`]
    return {
      text: [inEnvelope(messages.map(messageLines).join('\n\n')), ...more].join('\n'),
      data: { notice: DATA_NOTICE, ...reply, messages: messages.map(dataOfMessage) },
    }
  },
}

/** The tools exist only if their host has sessions. */
function sessionsOf({ sessions }: ToolHost): SessionsHost {
  if (sessions === undefined) throw new TypeError('this memory has no sessions')
  return sessions
}

function sessionLine({ id, key, state, messages, updatedAt }: ListedSession): string {
  const name = key === null ? 'without a key' : visibleName(key)
  return neutralise(`${name} (${visibleName(id)}, ${state}, ${messages} messages, last ${updatedAt})`)
}

function dataOfSession(session: ListedSession): ToolAnswer['data'] {
  return { ...session, id: harmlessName(session.id), key: session.key === null ? null : harmlessName(session.key) }
}

function messageLines({
  role,
  speaker,
  toolName,
  timestamp = 'at an unknown time',
  citation,
  text,
  isCut,
}: HistoryMessage): string {
  const who = [role, speaker ?? toolName].filter((part) => part !== undefined).join(' ')
  const rest = isCut === true ? '\n(… longer)' : ''
  return neutralise(`[${visibleName(who)}, ${timestamp}, ${visibleName(citation)}]\n${text}${rest}`)
}

function dataOfMessage({ text, citation, speaker, toolName, ...message }: HistoryMessage): ToolAnswer['data'] {
  return {
    ...message,
    citation: harmlessName(citation),
    ...(speaker !== undefined && { speaker: harmlessName(speaker) }),
    ...(toolName !== undefined && { toolName: harmlessName(toolName) }),
    text: recalled(neutralise(text)),
  }
}
