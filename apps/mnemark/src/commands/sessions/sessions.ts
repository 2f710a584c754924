import type { Invocation } from '../../command.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'

type Action = (invocation: Invocation) => Promise<ExitCode>

/** Actions by their word; each loads its own code alone. */
const ACTIONS: Readonly<Record<string, { readonly most: number; readonly load: () => Promise<Action> }>> = {
  list: { most: 1, load: async () => (await import('./read-sessions.ts')).listSessions },
  show: { most: 2, load: async () => (await import('./read-sessions.ts')).showSession },
  history: { most: 2, load: async () => (await import('./read-sessions.ts')).sessionHistory },
  append: { most: 2, load: async () => (await import('./append-messages.ts')).appendMessages },
  new: { most: 2, load: async () => (await import('./change-sessions.ts')).newSession },
  reset: { most: 2, load: async () => (await import('./change-sessions.ts')).resetSession },
  compact: { most: 2, load: async () => (await import('./change-sessions.ts')).compactSession },
  delete: { most: 2, load: async () => (await import('./change-sessions.ts')).deleteSessions },
  forget: { most: 2, load: async () => (await import('./change-sessions.ts')).forgetSessions },
  doctor: { most: 1, load: async () => (await import('./check-sessions.ts')).sessionsDoctor },
}

/** Conversations of the agent: lists, reads, writes, compacts and erases them. */
export async function sessions(invocation: Invocation): Promise<ExitCode> {
  const [name = '', ...words] = invocation.words
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (action === undefined) throw badUse(`sessions ${name} is not known; there are ${Object.keys(ACTIONS).join(', ')}`)
  if (words.length !== action.most - 1)
    throw badUse(`sessions ${name} takes ${action.most === 1 ? 'no further word' : 'one key or id'}, got ${words.length}`)
  return (await action.load())({ ...invocation, words })
}

function badUse(message: string): CommandError {
  return new CommandError('bad-use', message, { next: 'mnemark sessions --help shows examples.' })
}
