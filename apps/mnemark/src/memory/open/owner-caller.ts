import { judgeScope } from '@mnemark/core/backend'
import { BackendError } from '@mnemark/spec'
import type { CallerContext } from '@mnemark/spec'
import type { Settings } from '../../config/load-settings.ts'

/** A caller as its host names it; the memory adds the agent. */
type Named = Omit<CallerContext, 'agentId'>

/**
 * The caller of a program on this machine: one that names no session, chat or channel is the owner at a terminal, or an agent the
 * owner has set up, and counts as a direct chat.
 */
export function ownerUnlessNamed<Caller extends Named>(caller: Caller): Caller {
  const isNamed = caller.sessionKey !== undefined || caller.chatType !== undefined || caller.channel !== undefined
  return isNamed ? caller : { ...caller, chatType: 'direct' }
}

/** The chat type as the scope rules see it: as stated, except that the session key of a group or channel wins. */
export function chatTypeOf(caller: Named): Named['chatType'] | null {
  return judgeScope({}, { agentId: '', ...caller }).chatType
}

/** The caller with the chat type that the scope rules see: citations depend on it as well. */
export function withChatOfKey<Caller extends Named>(caller: Caller): Caller {
  if (caller.sessionKey === undefined) return caller
  const chatType = chatTypeOf(caller)
  return chatType === null || chatType === undefined ? caller : { ...caller, chatType }
}

/** Throws BackendError `denied` for a caller excluded by a scope rule. */
export function requireScopes({ scopes }: Pick<Settings, 'scopes'>, caller: CallerContext): void {
  if (scopes.every((scope) => judgeScope(scope, ownerUnlessNamed(caller)).isAllowed)) return
  throw new BackendError('denied', 'The rules of memory.scope do not let this caller use the memory.')
}
