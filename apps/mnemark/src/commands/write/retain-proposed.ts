import type { FactProposal, RetainReport } from '@mnemark/bank'
import { citationOf } from '@mnemark/spec'
import type { Invocation } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { openMemory } from '../../memory/open/open-memory.ts'
import { type ProposedFacts, proposedFacts, writeProposals } from '../../operations/facts/propose-facts.ts'
import { openChatModel } from '../../providers/models/ask-chat-model.ts'
import { isolate, printable, printableName } from '../../terminal/isolate.ts'
import { commandSettings } from '../command-settings.ts'
import { settleFirst, syncWatched } from '../find/search.ts'

/** Options that say what one fact is: they go with its text, not with proposals. */
const OF_ONE_FACT = ['kind', 'entity', 'confidence', 'on', 'corrects', 'retracts', 'again']

/** Offers facts that the logs say outside their Retain sections, and writes them where that is asked for. */
export async function retainProposed(invocation: Invocation): Promise<ExitCode> {
  const { words, options, console } = invocation
  const unwanted = words.length > 0 ? 'a text' : OF_ONE_FACT.map((name) => `--${name}`).find((name) => options.has(name.slice(2)))
  if (unwanted !== undefined)
    throw new CommandError('bad-use', `--propose takes its facts from the logs and no ${unwanted}`, {
      next: 'Leave one of them out.',
    })
  const settings = await commandSettings(invocation, { notes: 'warnings' })
  requireMemory(settings)
  await settleFirst(settings, { console, isAgreed: options.has('yes') })
  const log = (message: string): void => console.note(`mnemark: ${message}`)
  const open = await openMemory(settings, { vectors: 'none', log, isBuiltInOnly: true })
  try {
    if (open.isNew && console.isWatched) await syncWatched(open, settings, console)
    const { ask, problems, idle } = await openChatModel(settings, open.store)
    const proposing = { views: open.views, notes: open.notes, settings, nowMs: Date.now(), since: options.get('since'), ask }
    const found = await proposedFacts(proposing)
    await idle()
    const degraded = [...problems, ...found.degraded]
    for (const { message } of degraded) console.note(`mnemark: ${message}`)
    const written = options.has('write') ? await writeProposals(found, proposing) : undefined
    deliver({ ...found, degraded }, written, invocation)
    return found.proposals.length === 0 ? EXIT.nothing : EXIT.done
  } finally {
    await open.close()
  }
}

function deliver(found: ProposedFacts, written: readonly RetainReport[] | undefined, { console }: Invocation): void {
  const { proposals, path, since, degraded } = found
  console.document({
    proposals: proposals.map(({ kind, entities, content, source, why }, at) => ({
      kind,
      entities,
      content,
      source,
      why,
      ...placeOf(written?.[at]),
    })),
    since,
    degraded,
  })
  if (proposals.length === 0) return console.note(`mnemark: the logs since ${since} say no more than their facts`)
  if (written === undefined) console.print(`+++ ${isolate(printableName(path))}`)
  for (const [at, proposal] of proposals.entries()) console.print(lineOf(proposal, written?.[at]))
  if (written === undefined) console.note(`mnemark: ${proposals.length} proposed; --write adds them under today's Retain heading`)
}

function placeOf(report: RetainReport | undefined): Readonly<Record<string, unknown>> {
  if (report === undefined) return {}
  const { path, startLine, endLine, factId, status } = report
  return { path, startLine, endLine, factId, status }
}

function lineOf({ kind, entities, content, source, why }: FactProposal, report: RetainReport | undefined): string {
  const about = entities.length === 0 ? '' : `${entities.map((name) => isolate(printable(name))).join(', ')}: `
  const said = `${kind.padEnd(10)}  ${about}${isolate(printable(content))}`
  const from = `  (${why}, ${isolate(printableName(source))})`
  if (report === undefined) return `+ ${said}${from}`
  return `${report.status.padEnd(7)} ${isolate(printableName(citationOf(report.path, report.startLine, report.endLine)))}  ${said}${from}`
}
