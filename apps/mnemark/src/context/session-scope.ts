import type { CallerContext } from '@mnemark/spec'

/**
 * True where the curated long-term file may be shown: the agent's own main session, which its owner has alone. A caller that names no
 * session is the owner at a terminal or an agent on this machine; a group or a channel never is, and a key that cannot be read is not
 * taken for the main session.
 */
export function isPrivateMainSession({ agentId, sessionKey, chatType }: CallerContext): boolean {
  if (chatType === 'group' || chatType === 'channel') return false
  if (sessionKey === undefined) return true
  const key = sessionKey.trim().toLowerCase()
  return key === 'main' || key === `agent:${agentId.toLowerCase()}:main`
}
