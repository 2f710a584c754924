import { join } from 'node:path'
import type { Sessions } from '@mnemark/sessions'
import { userFolders } from '../config/files/user-folders.ts'
import type { Settings } from '../config/load-settings.ts'

/** Opens the folder of an agent's sessions. */
export async function openAgentSessions({ stateFolder, agentId, timeZone }: Settings): Promise<Sessions> {
  const { openSessions } = await import('@mnemark/sessions')
  const folder = join(stateFolder ?? userFolders().state, 'agents', agentId, 'sessions')
  return await openSessions({ folder, agent: agentId, ...(timeZone !== undefined && { timeZone }) })
}
