import type { CallerContext } from '@mnemark/spec'

export type ChatType = NonNullable<CallerContext['chatType']>

/** What a rule looks at; every given part has to fit, none given fits everybody. Upper and lower case are one. */
export interface ScopeMatch {
  readonly chatType?: ChatType
  readonly channel?: string
  /** Beginning of the session key without `agent:<id>:`. One that begins with `agent:` is taken as `rawKeyPrefix`. */
  readonly keyPrefix?: string
  /** Beginning of the session key as it is, `agent:<id>:` included. */
  readonly rawKeyPrefix?: string
}
export interface ScopeRule {
  readonly action: 'allow' | 'deny'
  readonly match?: ScopeMatch
}
/** Who may search and read. The first rule that fits decides, else `default` ("deny"). */
export interface Scope {
  readonly default?: 'allow' | 'deny'
  readonly rules?: readonly ScopeRule[]
}
export interface ScopeVerdict {
  readonly isAllowed: boolean
  /** As the caller says, else as the session key tells; null where neither does. */
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
 * Whether a caller may see anything. The caller's own `chatType` and `channel` win over what its session key tells, but that the key of a
 * group or a channel stays one: `direct` beside it opens nothing.
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

/** Whether a rule that names this caller by kind of chat, channel or key lets it in; neither `default` nor a rule for everybody does. */
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

/** `main` is the owner's own chat. A scheduled job or a hook is no chat: only a rule on its key, or the default, lets it in. */
function readKey(key: string): Pick<Conversation, 'chatType' | 'channel'> {
  if (key === 'main') return { chatType: 'direct', channel: null }
  const [first = '', second = ''] = key.split(':')
  const chatType = CHAT_TYPES.get(second)
  if (chatType !== undefined && first !== '') return { chatType, channel: first }
  // Keys that name an account between channel and chat: `telegram:work:group:<id>`.
  const later = key
    .split(':')
    .slice(2, -1)
    .map((part) => CHAT_TYPES.get(part) ?? null)
  const shared = later.find(isShared)
  if (shared !== undefined) return { chatType: shared, channel: first }
  // Keys from before channels were named: `group:<id>`.
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
