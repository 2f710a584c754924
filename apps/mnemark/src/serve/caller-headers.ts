import { CommandError } from '../failure.ts'
import { ownerUnlessNamed, withChatOfKey } from '../memory/open/owner-caller.ts'
import type { Caller } from '@mnemark/tools'

const SESSION_KEY = 'Mnemark-Session-Key'
const CHAT_TYPE = 'Mnemark-Chat-Type'
const CHANNEL = 'Mnemark-Channel'

/** Headers by which an agent's host names the caller; a model cannot set them. */
export const CALLER_HEADERS: readonly string[] = [SESSION_KEY, CHAT_TYPE, CHANNEL]

interface HeaderParameter {
  readonly in: 'header'
  readonly name: string
  readonly description: string
  readonly schema: { type: 'string'; enum?: string[] }
}

/** The same headers for the description of the API. */
export function callerParameters(): HeaderParameter[] {
  return [
    {
      in: 'header',
      name: SESSION_KEY,
      description: 'The session that asks, such as agent:main:main.',
      schema: { type: 'string' },
    },
    {
      in: 'header',
      name: CHAT_TYPE,
      description: 'Its kind of chat.',
      schema: { type: 'string', enum: ['direct', 'group', 'channel'] },
    },
    { in: 'header', name: CHANNEL, description: 'The channel the chat is on, such as telegram.', schema: { type: 'string' } },
  ]
}

/** The owner, in a direct chat, where no header names a caller. Throws CommandError `bad-input` for a chat type that is none: guessing could open what is closed. */
export function readCaller(headers: Headers): Caller {
  const sessionKey = headers.get(SESSION_KEY)
  const chatType = headers.get(CHAT_TYPE)
  const channel = headers.get(CHANNEL)
  if (chatType !== null && chatType !== 'direct' && chatType !== 'group' && chatType !== 'channel') {
    throw new CommandError('bad-input', `${CHAT_TYPE} is no kind of chat; allowed: direct, group, channel`, {
      next: 'Correct the header, or leave it out.',
    })
  }
  const named: Caller = {
    ...(sessionKey !== null && { sessionKey }),
    ...(chatType !== null && { chatType }),
    ...(channel !== null && { channel }),
  }
  return withChatOfKey(ownerUnlessNamed(named))
}
