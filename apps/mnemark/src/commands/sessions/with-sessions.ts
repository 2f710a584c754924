import type { MemoryCall } from '@mnemark/tools'
import type { Invocation } from '../../command.ts'
import type { Settings } from '../../config/load-settings.ts'
import { type OpenMemory, openMemory, openNotes } from '../../memory/open/open-memory.ts'
import { AgentSessions } from '../../operations/sessions/agent-sessions.ts'
import { openAgentSessions } from '../../operations/sessions/open-agent-sessions.ts'
import { printable } from '../../terminal/isolate.ts'
import { commandSettings } from '../command-settings.ts'

export interface UsedSessions {
  readonly sessions: AgentSessions
  /** The owner, who sees everything. */
  readonly call: MemoryCall
  readonly settings: Settings
}

/** Opens the agent's conversations for one command, and closes them; faults that were dealt with are named. */
export async function withSessions<Result>(
  invocation: Invocation & { readonly isMasking?: true },
  use: (used: UsedSessions) => Promise<Result>,
): Promise<Result> {
  const { console, options } = invocation
  const settings = await commandSettings(invocation)
  let memory: OpenMemory | undefined
  const sessions = new AgentSessions({
    agentId: settings.agentId,
    visibility: settings.sessionTools.visibility,
    isReadOnly: false,
    isMasking: invocation.isMasking ?? options.has('mask'),
    requireScope: () => {},
    open: async () =>
      await openAgentSessions(settings, {
        notes: await openNotes(settings),
        store: async () => (memory ??= await openMemory(settings, { vectors: 'none' })).store,
        onProblem: ({ message }) => console.note(`mnemark: ${printable(message)}`),
      }),
  })
  try {
    return await use({ sessions, call: { caller: {} }, settings })
  } finally {
    await sessions.close()
    await memory?.close()
  }
}
