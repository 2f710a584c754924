import type { AskModel, FactProposal, ModelRefusal, RetainReport } from '@mnemark/bank'
import { readDayArgument } from '@mnemark/core/dates'
import { type CallOptions, dayInZone, type Degradation, type IndexViews } from '@mnemark/spec'
import type { Workspace } from '@mnemark/workspace'
import type { Settings } from '../../config/load-settings.ts'
import { CommandError } from '../../failure.ts'
import { wholeText } from '../whole-text.ts'

export interface Proposing extends CallOptions {
  readonly views: IndexViews
  readonly notes: Workspace
  readonly settings: Pick<Settings, 'timeZone' | 'memory' | 'agentId'>
  readonly nowMs: number
  /** The first day of the logs that are read, in any form of a day. Default: seven days ago. */
  readonly since?: string | undefined
  /** A chat model that offers facts the rules do not find. */
  readonly ask?: AskModel | null | undefined
}

/** Facts that logs seem to say, and where they may be written: nothing is written yet. */
export interface ProposedFacts {
  readonly proposals: readonly FactProposal[]
  /** The log of today, which accepted facts go to. */
  readonly path: string
  readonly today: string
  readonly since: string
  readonly degraded: readonly Degradation[]
}

const DEFAULT_SINCE = '7d'

/** Reads the owner's logs since a day. Throws CommandError `bad-input` for a day that is none. */
export async function proposedFacts(proposing: Proposing): Promise<ProposedFacts> {
  const { views, notes, settings, nowMs, ask, signal } = proposing
  const { FactRegistry, knownNames, proposeByModel, proposeFacts, readFacts } = await import('@mnemark/bank')
  const timeZone = settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const today = dayInZone(nowMs, timeZone)
  const since = readDayArgument(proposing.since ?? DEFAULT_SINCE, 'first', { nowMs, timeZone })
  if (since === undefined)
    throw new CommandError('bad-input', 'since is no day', { next: 'Write YYYY-MM-DD, 30d or "last month".' })
  const path = await notes.dailyLog(nowMs)
  const { state, paths, degraded } = await views.withIndex(
    async ({ snapshot, degraded: why }) => {
      const days: (readonly [path: string, day: string])[] = []
      for await (const { path: log, from } of snapshot.documents('memory'))
        if (from !== undefined && since <= from && from <= today) days.push([log, from])
      const oldestFirst = days.toSorted(([, left], [, right]) => (left < right ? -1 : Number(left > right)))
      return { state: await new FactRegistry().read(snapshot), paths: oldestFirst.map(([log]) => log), degraded: why }
    },
    { signal },
  )
  const logs = await readLogs([...new Set([...paths, path])], proposing)
  const { dateOrder } = settings.memory
  // The index may be a moment behind the logs.
  const inLogs = logs.flatMap(({ path: log, text }) => readFacts(text, { path: log, dateOrder }).facts)
  const options = {
    today,
    dateOrder,
    namesIn: knownNames(state.entities),
    known: [...state.facts, ...inLogs],
    keyOf: (key: string) => state.entities.find(key)?.key ?? key,
  }
  const byRules = proposeFacts(logs, options)
  const found = { path, today, since }
  if (ask === undefined || ask === null) return { ...found, proposals: byRules, degraded }
  const known = [...options.known, ...byRules.map(({ fact: { entities = [], content } }) => ({ entities, content }))]
  const { proposals, refusals } = await proposeByModel(await withoutSecrets(logs), ask, { ...options, known, signal })
  return { ...found, proposals: [...byRules, ...proposals], degraded: [...degraded, ...refusals.map(asDegradation)] }
}

interface Log {
  readonly path: string
  readonly text: string
}

async function readLogs(paths: readonly string[], { notes, settings, signal }: Proposing): Promise<readonly Log[]> {
  const logs: Log[] = []
  for (const path of paths) {
    signal?.throwIfAborted()
    const text = await wholeText(notes.reader, path, { agentId: settings.agentId })
    if (text !== undefined) logs.push({ path, text })
  }
  return logs
}

async function withoutSecrets(logs: readonly Log[]): Promise<readonly Log[]> {
  const { maskText } = await import('@mnemark/masking')
  return Promise.all(logs.map(async ({ path, text }) => ({ path, text: await maskText(text) })))
}

function asDegradation({ reason, message }: ModelRefusal): Degradation {
  const code = reason === 'unavailable' ? 'provider-unavailable' : 'source-failed'
  return { code, message: `nothing is proposed from an answer of the chat model: ${message}` }
}

/** Writes accepted proposals into the log of today, one after the other; what stands in the log already is reported. */
export async function writeProposals(
  { proposals, path, today }: ProposedFacts,
  { notes, settings, signal }: Pick<Proposing, 'notes' | 'settings' | 'signal'>,
): Promise<readonly RetainReport[]> {
  const { retain } = await import('@mnemark/bank')
  const reports: RetainReport[] = []
  for (const { fact } of proposals)
    reports.push(await retain(notes.change, fact, { path, day: today, dateOrder: settings.memory.dateOrder, signal }))
  return reports
}
