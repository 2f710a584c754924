import type { CallerContext } from '@mnemark/spec'

/**
 * True where the curated long-term file may be shown: the agent's own main session, which its owner has alone. A caller that names no
 * session is the owner at a terminal or an agent on this machine; a group or a channel never is, nor a chat on a channel of unknown kind,
 * and a key that cannot be read is not taken for the main session.
 */
export function isPrivateMainSession({ agentId, sessionKey, chatType, channel }: CallerContext): boolean {
  if (chatType === 'group' || chatType === 'channel') return false
  if (sessionKey === undefined) return chatType === 'direct' || channel === undefined
  const key = sessionKey.trim().toLowerCase()
  return key === 'main' || key === `agent:${agentId.toLowerCase()}:main`
}
