import { WorkspaceError } from '@mnemark/spec'
import type { Block, Origin, Role, Usage } from '../transcript/entry.ts'
import type { NewMessage } from './session.ts'

type Fields = Readonly<Record<string, unknown>>

const ROLES: readonly Role[] = ['user', 'assistant', 'toolResult', 'system']
const ORIGINS: readonly Origin[] = ['person', 'heartbeat', 'cron', 'hook', 'system']

/**
 * Reads a message that came as JSON: `{ role, content, id?, parentId?, timestamp?, usage?, … }`, the time in ISO form or in ms since 1970.
 * Fields it does not know are left out.
 * @throws WorkspaceError `refused`, saying what was expected and what came, never the content
 */
export function readMessage(value: unknown): NewMessage {
  const fields = fieldsOf(value, 'a message')
  const role = ROLES.find((one) => one === fields['role']) ?? refuse('role', ROLES.join(', '), fields['role'])
  const origin =
    fields['origin'] === undefined
      ? undefined
      : (ORIGINS.find((one) => one === fields['origin']) ?? refuse('origin', ORIGINS.join(', '), fields['origin']))
  const parentId = fields['parentId'] === null ? null : textOr('parentId', fields)
  const usage = fields['usage'] === undefined || fields['usage'] === null ? undefined : usageOf(fields['usage'])
  const isError = fields['isError'] === undefined ? undefined : fields['isError'] === true
  const texts = {
    id: textOr('id', fields),
    speaker: textOr('speaker', fields),
    toolCallId: textOr('toolCallId', fields),
    toolName: textOr('toolName', fields),
    model: textOr('model', fields),
    stopReason: textOr('stopReason', fields),
  }
  const message = {
    role,
    content: contentOf(fields['content']),
    origin,
    parentId,
    timeMs: timeOf(fields['timestamp']),
    usage,
    isError,
    ...texts,
  }
  if (role === 'toolResult' && texts.toolCallId === undefined) refuse('toolCallId', 'the id of the call it answers', undefined)
  // Absent fields are left out, since they would be written as such.
  return Object.fromEntries(Object.entries(message).filter(([, field]) => field !== undefined)) as unknown as NewMessage
}

function contentOf(content: unknown): string | readonly Block[] {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return refuse('content', 'a text or a list of blocks', content)
  return content.map(blockOf)
}

function blockOf(value: unknown): Block {
  const block = fieldsOf(value, 'a block')
  const text = (name: string): string => textOr(name, block) ?? refuse(name, 'a text', block[name])
  switch (block['type']) {
    case 'text':
      return { type: 'text', text: text('text') }
    case 'image':
      return { type: 'image', data: text('data'), mimeType: text('mimeType') }
    case 'thinking':
      return { type: 'thinking', thinking: text('thinking') }
    case 'toolCall':
      return { type: 'toolCall', id: text('id'), name: text('name'), arguments: block['arguments'] ?? {} }
    default:
      return refuse('type of a block', 'text, image, thinking, toolCall', block['type'])
  }
}

function usageOf(value: unknown): Usage {
  const usage = fieldsOf(value, 'usage')
  const names = ['input', 'output', 'cacheRead', 'cacheWrite', 'totalTokens']
  const known = names.flatMap((name) =>
    usage[name] === undefined || usage[name] === null ? [] : [[name, countOf(name, usage[name])]],
  )
  return Object.fromEntries(known)
}

function countOf(name: string, value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
    ? value
    : refuse(`usage.${name}`, 'a number, 0 or more', value)
}

function timeOf(value: unknown): number | null | undefined {
  if (value === undefined || value === null) return value
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN
  // The range of ISO times with four digits of the year.
  return ms >= 0 && ms < 253_402_300_800_000 ? ms : refuse('timestamp', 'an ISO time, or ms since 1970', value)
}

function textOr(name: string, fields: Fields): string | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : refuse(name, 'a text', value)
}

function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  return refuse(what, 'an object', value)
}

function refuse(name: string, expected: string, value: unknown): never {
  // A short text may be a slip in a word; a long one may be anybody's words.
  const got =
    typeof value === 'string' && value.length <= 20 ? JSON.stringify(value) : value === undefined ? 'nothing' : typeof value
  throw new WorkspaceError('refused', `${name}: expected ${expected}; got ${got}.`)
}
