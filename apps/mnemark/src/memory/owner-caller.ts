import type { CallerContext } from '@mnemark/spec'

/**
 * Who is behind a call to a program on this machine: one that names no session, chat or channel is the owner at a terminal, or an agent
 * the owner has set up, and counts as a direct chat.
 */
export function ownerUnlessNamed(caller: CallerContext): CallerContext {
  const isNamed = caller.sessionKey !== undefined || caller.chatType !== undefined || caller.channel !== undefined
  return isNamed ? caller : { ...caller, chatType: 'direct' }
}
