import { join } from 'node:path'
import type { SessionProblem, Sessions, SummaryWriter } from '@mnemark/sessions'
import type { MemoryStore } from '@mnemark/spec'
import type { Workspace } from '@mnemark/workspace'
import { userFolders } from '../../config/files/user-folders.ts'
import type { Settings } from '../../config/load-settings.ts'

export interface SessionsAccess {
  /** Where a flush writes; null: nothing is written to notes. */
  readonly notes: Workspace | null
  /** Keeps the count of the tokens that chat models have had today. Opened with the first request to one. */
  readonly store: () => Promise<MemoryStore> | MemoryStore
  readonly onProblem?: (problem: SessionProblem) => void
}

/** The folder that holds the transcripts of an agent. */
export function sessionsFolder({ stateFolder, agentId }: Pick<Settings, 'stateFolder' | 'agentId'>): string {
  return join(stateFolder ?? userFolders().state, 'agents', agentId, 'sessions')
}

/** Opens the conversations of an agent, as its configuration has them begin, be compacted and be removed. */
export async function openAgentSessions(settings: Settings, { notes, store, onProblem }: SessionsAccess): Promise<Sessions> {
  const { openSessions } = await import('@mnemark/sessions')
  const { timeZone, agentId, sessions } = settings
  const generator = await summaryWriter(settings, store)
  const { maskText } = await import('@mnemark/masking')
  return await openSessions({
    ...sessions,
    folder: sessionsFolder(settings),
    agent: agentId,
    notes,
    redact: maskText,
    ...(timeZone !== undefined && { timeZone }),
    ...(generator !== undefined && { generator }),
    ...(onProblem !== undefined && { onProblem }),
  })
}

/** The configured chat models; undefined where none may be asked, so that nothing is compacted. Sends nothing yet. */
async function summaryWriter(settings: Settings, store: SessionsAccess['store']): Promise<SummaryWriter | undefined> {
  const { generate } = settings.models
  if (generate === null || !generate.mayAsk) return undefined
  const { usableGenerators } = await import('../../providers/models/usable-models.ts')
  const { generators } = await usableGenerators(settings)
  const [first] = generators
  if (first === undefined) return undefined
  const { askGenerators } = await import('../../providers/models/ask-chat-model.ts')
  let asking: ReturnType<typeof askGenerators> | undefined
  const windows = generators.flatMap(({ contextWindow }) => contextWindow ?? [])
  return {
    generate: async (request) => {
      asking ??= askGenerators(generators, settings, await store())
      return await (await asking).ask(request)
    },
    ...(windows.length > 0 && { contextWindow: Math.min(...windows) }),
    ...(generators.length === 1 && first.countTokens !== undefined && { countTokens: first.countTokens.bind(first) }),
  }
}
