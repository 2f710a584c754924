import type { CallerContext } from '@mnemark/spec'

/**
 * True if the curated long-term file may be shown: in the agent's own main session, which only its owner uses. A caller that
 * names no session is the owner at a terminal or an agent on this machine; a group or a channel never counts, nor does a chat on
 * a channel of unknown kind, and an unreadable key does not count as the main session.
 */
export function isPrivateMainSession({ agentId, sessionKey, chatType, channel }: CallerContext): boolean {
  if (chatType === 'group' || chatType === 'channel') return false
  if (sessionKey === undefined) return chatType === 'direct' || channel === undefined
  const key = sessionKey.trim().toLowerCase()
  return key === 'main' || key === `agent:${agentId.toLowerCase()}:main`
}
