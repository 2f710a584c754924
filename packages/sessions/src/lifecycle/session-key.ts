import { WorkspaceError } from '@mnemark/spec'
import type { ChatType } from '../transcript/entry.ts'

export type SessionKind = 'main' | 'chat' | 'cron' | 'hook' | 'spawned'

/** A key and its meaning. */
export interface SessionKey {
  /** As stored: `main` is written out. */
  readonly key: string
  readonly agent: string
  readonly kind: SessionKind
  readonly chatType: ChatType
  readonly channel: string | null
}

const MAX_CHARACTERS = 1024
const DEFAULT_AGENT = 'main'

/**
 * Reads a key: `agent:<id>:main`, `agent:<id>:<channel>:direct|group|channel:<id>`, with `:thread:<id>` or `:topic:<id>` behind it, `cron:<job>`,
 * `hook:<id>`, `agent:<id>:subagent:<id>`, or any other text. `main` stands for that of the agent. Keys never become names of files.
 * @throws WorkspaceError `refused` for a blank key, one of over 1,024 characters, or with control characters
 */
export function readSessionKey(text: string, agent: string = DEFAULT_AGENT): SessionKey {
  const key = text === 'main' ? `agent:${agent}:main` : text
  if (key.trim() === '' || key.length > MAX_CHARACTERS || !key.isWellFormed() || /\p{Cc}/u.test(key)) {
    throw new WorkspaceError(
      'refused',
      'The key of a session has 1 to 1,024 characters and no control characters. Use one such as agent:main:main.',
    )
  }
  const parts = key.split(':')
  const isOfAgent = parts[0] === 'agent' && parts.length > 2
  const rest = isOfAgent ? parts.slice(2) : parts
  return { key, agent: isOfAgent ? parts[1]! : agent, kind: kindOf(rest), ...chatOf(rest) }
}

function kindOf(rest: readonly string[]): SessionKind {
  const [first = ''] = rest
  if (first === 'main' && rest.length === 1) return 'main'
  if (first === 'cron' || first === 'hook') return first
  return first === 'subagent' || first === 'acp' ? 'spawned' : 'chat'
}

const CHAT_WORDS: Readonly<Record<string, ChatType>> = {
  direct: 'direct',
  dm: 'direct',
  group: 'group',
  channel: 'channel',
  room: 'channel',
}

function chatOf(rest: readonly string[]): { readonly chatType: ChatType; readonly channel: string | null } {
  const at = rest.findIndex((part) => Object.hasOwn(CHAT_WORDS, part))
  const channel = at > 0 ? rest[0]! : null
  const isThread = rest.slice(at + 1).some((part) => part === 'thread' || part === 'topic')
  if (at >= 0 && isThread) return { chatType: 'thread', channel }
  return { chatType: at >= 0 ? CHAT_WORDS[rest[at]!]! : 'direct', channel }
}
