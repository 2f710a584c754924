import type { CallerContext } from '@mnemark/spec'

export type ChatType = NonNullable<CallerContext['chatType']>

/** Conditions of a rule; every given one must match, none given matches everybody. Case does not matter. */
export interface ScopeMatch {
  readonly chatType?: ChatType
  readonly channel?: string
  /** Prefix of the session key without `agent:<id>:`. One that begins with `agent:` is taken as `rawKeyPrefix`. */
  readonly keyPrefix?: string
  /** Prefix of the whole session key, `agent:<id>:` included. */
  readonly rawKeyPrefix?: string
}
export interface ScopeRule {
  readonly action: 'allow' | 'deny'
  readonly match?: ScopeMatch
}
/** Rules for who may search and read. The first rule that matches decides, else `default` ("deny"). */
export interface Scope {
  readonly default?: 'allow' | 'deny'
  readonly rules?: readonly ScopeRule[]
}
export interface ScopeVerdict {
  readonly isAllowed: boolean
  /** Given by the caller, else by the session key; null where neither has it. */
  readonly chatType: ChatType | null
  readonly channel: string | null
}

const CHAT_TYPES: ReadonlyMap<string, ChatType> = new Map([
  ['direct', 'direct'],
  ['dm', 'direct'],
  ['group', 'group'],
  ['channel', 'channel'],
])

interface Conversation {
  readonly rawKey: string
  readonly key: string
  readonly chatType: ChatType | null
  readonly channel: string | null
}

/**
 * Whether a caller may see anything. The caller's own `chatType` and `channel` win over its session key, except that
 * the key of a group or a channel stays one: `direct` beside it allows nothing.
 */
export function judgeScope(scope: Scope, caller: CallerContext): ScopeVerdict {
  const conversation = conversationOf(caller)
  const rule = ruleFor(scope, conversation)
  return {
    isAllowed: (rule?.action ?? scope.default ?? 'deny') === 'allow',
    chatType: conversation.chatType,
    channel: conversation.channel,
  }
}

/**
 * Whether a rule that names this caller by kind of chat, channel or key allows it; `default` and rules for everybody do
 * not count.
 */
export function namesCaller(scope: Scope, caller: CallerContext): boolean {
  const rule = ruleFor(scope, conversationOf(caller))
  return rule?.action === 'allow' && Object.values(rule.match ?? {}).some((part) => part !== undefined && part !== '')
}

function ruleFor({ rules }: Scope, conversation: Conversation): ScopeRule | undefined {
  return rules?.find(({ match }) => fits(match ?? {}, conversation))
}

function conversationOf({ sessionKey, chatType, channel }: CallerContext): Conversation {
  const rawKey = plain(sessionKey ?? '')
  const key = rawKey.replace(/^agent:[^:]*:/, '')
  const told = readKey(key)
  return {
    rawKey,
    key,
    chatType: chatType === undefined || (chatType === 'direct' && isShared(told.chatType)) ? told.chatType : chatType,
    channel: channel === undefined ? told.channel : plain(channel),
  }
}

function isShared(chatType: ChatType | null): boolean {
  return chatType === 'group' || chatType === 'channel'
}

/** `main` is the owner's own chat. A scheduled job or a hook is no chat: only a rule on its key, or the default, allows it. */
function readKey(key: string): Pick<Conversation, 'chatType' | 'channel'> {
  if (key === 'main') return { chatType: 'direct', channel: null }
  const [first = '', second = ''] = key.split(':')
  const chatType = CHAT_TYPES.get(second)
  if (chatType !== undefined && first !== '') return { chatType, channel: first }
  // Keys with an account between channel and chat: `telegram:work:group:<id>`.
  const later = key
    .split(':')
    .slice(2, -1)
    .map((part) => CHAT_TYPES.get(part) ?? null)
  const shared = later.find(isShared)
  if (shared !== undefined) return { chatType: shared, channel: first }
  // Older keys without a channel: `group:<id>`.
  return { chatType: second === '' ? null : (CHAT_TYPES.get(first) ?? null), channel: null }
}

function fits(match: ScopeMatch, { rawKey, key, chatType, channel }: Conversation): boolean {
  const keyPrefix = plain(match.keyPrefix ?? '')
  const isRaw = keyPrefix.startsWith('agent:')
  return (
    (match.chatType === undefined || match.chatType === chatType) &&
    (match.channel === undefined || plain(match.channel) === channel) &&
    (isRaw ? rawKey : key).startsWith(keyPrefix) &&
    rawKey.startsWith(plain(match.rawKeyPrefix ?? ''))
  )
}

function plain(text: string): string {
  return text.trim().toLowerCase()
}
