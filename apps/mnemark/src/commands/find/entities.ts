import type { ListedEntity, MergeRequest } from '@mnemark/bank'
import type { Invocation } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { longTermDenied, mayReadLongTerm } from '../../memory/open/long-term.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { openMemory } from '../../memory/open/open-memory.ts'
import { requireScopes } from '../../memory/open/owner-caller.ts'
import { listNames, type NamesDocument, readFactState } from '../../operations/facts/list-names.ts'
import { type MergeDocument, mergeNames } from '../../operations/facts/merge-entities.ts'
import { isolate, printable, printableName } from '../../terminal/isolate.ts'
import type { Console } from '../../terminal/console.ts'
import { readCaller } from '../caller-options.ts'
import { commandSettings } from '../command-settings.ts'
import { catchUp, settleFirst, syncWatched, withChatOfKey } from './search.ts'

const DAY_WIDTH = 10

/** Lists whom and what facts name, shows one of them with its facts and the names that may be the same, or joins and parts two names. */
export async function entities(invocation: Invocation): Promise<ExitCode> {
  const { words, options, console } = invocation
  const asked = readMerge(invocation)
  const name = words.join(' ').trim()
  const settings = await commandSettings(invocation, { notes: 'warnings' })
  requireMemory(settings)
  await settleFirst(settings, { console, isAgreed: options.has('yes') })
  const log = (message: string): void => console.note(`mnemark: ${message}`)
  const open = await openMemory(settings, { vectors: 'none', log, isBuiltInOnly: true })
  try {
    if (open.isNew && console.isWatched) await syncWatched(open, settings, console)
    const caller = { ...(await withChatOfKey(readCaller(options))), agentId: settings.agentId }
    requireScopes(settings, caller)
    if (asked !== null && !mayReadLongTerm(settings, caller)) throw longTermDenied()
    const { state, stale } = await readFactState({ views: open.views, settings, caller })
    if (stale) await catchUp(open, settings, console)
    if (asked !== null) return changed(console, await mergeNames(asked, { state, notes: open.notes, settings }))
    const found = await listNames(state, name)
    if (name === '') return list(console, found)
    return found.entities.length === 0 ? missing(console, name, found) : show(console, found)
  } finally {
    await open.close()
  }
}

function readMerge({ words, options }: Invocation): MergeRequest | null {
  const [isMerge, isUnmerge] = [options.has('merge'), options.has('unmerge')]
  if (!isMerge && !isUnmerge) return null
  const [first, second, ...others] = words
  const isPair = first !== undefined && second !== undefined && others.length === 0
  if (isPair && isMerge !== isUnmerge)
    return { op: isMerge ? 'merge' : 'unmerge', names: [first, second], isSure: options.has('yes') }
  const problem = isPair ? '--merge and --unmerge undo each other' : `expected two names, got ${words.length}`
  throw new CommandError('bad-use', problem, {
    next: 'mnemark entities --merge NAME NAME; a name of several words stands in quotes.',
  })
}

function list(console: Console, { entities: found }: NamesDocument): ExitCode {
  console.document({ entities: found })
  for (const entity of found) console.print(lineOf(entity))
  if (found.length === 0) console.note('mnemark: no fact names anybody yet; mnemark retain writes one')
  return found.length === 0 ? EXIT.nothing : EXIT.done
}

function show(console: Console, found: NamesDocument): ExitCode {
  console.document(found)
  for (const entity of found.entities) console.print(lineOf(entity))
  for (const { content, source, timestamp = '' } of found.facts ?? [])
    console.print(`${timestamp.padEnd(DAY_WIDTH)}  ${isolate(printable(content))}  ${isolate(printableName(source))}`)
  for (const { name, why } of found.suggestions ?? [])
    console.note(`mnemark: ${printable(name)} may be the same (${why}); mnemark entities --merge joins two names`)
  return EXIT.done
}

function missing(console: Console, name: string, found: NamesDocument): ExitCode {
  console.document(found)
  const near = (found.near ?? []).map((one) => printable(one)).join(', ')
  console.note(`mnemark: no fact names ${printable(name)}${near === '' ? '' : `; near: ${near}`}`)
  return EXIT.nothing
}

function changed(console: Console, report: MergeDocument): ExitCode {
  console.document(report)
  console.print(`${report.status}  ${lineOf(report.entity).trimStart()}`)
  for (const { diff } of report.changes) for (const line of diff.trimEnd().split('\n')) console.print(isolate(printable(line)))
  if (report.conflict !== null) {
    const kept = printableName(report.conflict)
    console.note(`mnemark: another program saved the page at the same moment; what it saved is kept in the history as ${kept}`)
  }
  if (report.remark !== undefined) console.note(`mnemark: ${printable(report.remark)}`)
  return EXIT.done
}

function lineOf({ name, aliases, facts, first = '', last = '', page }: ListedEntity): string {
  const days = first === last ? first : `${first} to ${last}`
  const others = aliases.length === 0 ? '' : ` (${aliases.map((alias) => isolate(printable(alias))).join(', ')})`
  const place = page === undefined ? '' : `  ${isolate(printableName(page))}`
  return `${String(facts).padStart(4)}  ${isolate(printable(name))}${others}  ${days}${place}`
}
