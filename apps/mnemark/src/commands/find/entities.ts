import type { EntityDetails, IndexedFact, ListedEntity } from '@mnemark/bank'
import { citationOf } from '@mnemark/spec'
import type { Invocation } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { longTermFilter } from '../../memory/open/long-term.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { openMemory } from '../../memory/open/open-memory.ts'
import { requireScopes } from '../../memory/open/owner-caller.ts'
import { isolate, printable, printableName } from '../../terminal/isolate.ts'
import type { Console } from '../../terminal/console.ts'
import { readCaller } from '../caller-options.ts'
import { commandSettings } from '../command-settings.ts'
import { catchUp, settleFirst, syncWatched, withChatOfKey } from './search.ts'

const DAY_WIDTH = 10

/** Lists whom and what facts name, or shows one of them with its facts and the names that may be the same. */
export async function entities(invocation: Invocation): Promise<ExitCode> {
  const { words, options, console } = invocation
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
    const { FactRegistry, findEntity, listEntities, nearEntities } = await import('@mnemark/bank')
    const { state, stale } = await open.views.withIndex(async (view) => ({
      state: await new FactRegistry().read(view.snapshot, longTermFilter(settings, caller)),
      stale: view.stale,
    }))
    if (stale) await catchUp(open, settings, console)
    if (name === '') return list(console, listEntities(state))
    const found = findEntity(state, name)
    return found === undefined ? missing(console, name, nearEntities(state, name)) : show(console, found)
  } finally {
    await open.close()
  }
}

function list(console: Console, found: readonly ListedEntity[]): ExitCode {
  console.document({ entities: found })
  for (const entity of found) console.print(lineOf(entity))
  if (found.length === 0) console.note('mnemark: no fact names anybody yet; mnemark retain writes one')
  return found.length === 0 ? EXIT.nothing : EXIT.done
}

function show(console: Console, { known, suggestions, ...entity }: EntityDetails): ExitCode {
  console.document({ entities: [entity], facts: known.map(factOf), suggestions, near: [] })
  console.print(lineOf(entity))
  for (const fact of known) {
    const place = isolate(printableName(placeOf(fact)))
    console.print(`${(fact.days?.from ?? '').padEnd(DAY_WIDTH)}  ${isolate(printable(fact.content))}  ${place}`)
  }
  for (const { name, why } of suggestions)
    console.note(`mnemark: ${printable(name)} may be the same (${why}); an alias in its page would say so`)
  return EXIT.done
}

function missing(console: Console, name: string, near: readonly string[]): ExitCode {
  console.document({ entities: [], facts: [], suggestions: [], near })
  const hint = near.length === 0 ? '' : `; near: ${near.map((one) => printable(one)).join(', ')}`
  console.note(`mnemark: no fact names ${printable(name)}${hint}`)
  return EXIT.nothing
}

function lineOf({ name, aliases, facts, first = '', last = '', page }: ListedEntity): string {
  const days = first === last ? first : `${first} to ${last}`
  const others = aliases.length === 0 ? '' : ` (${aliases.map((alias) => isolate(printable(alias))).join(', ')})`
  const place = page === undefined ? '' : `  ${isolate(printableName(page))}`
  return `${String(facts).padStart(4)}  ${isolate(printable(name))}${others}  ${days}${place}`
}

function placeOf({ path, startLine, endLine }: IndexedFact): string {
  return citationOf(path, startLine, endLine)
}

function factOf(fact: IndexedFact): Readonly<Record<string, unknown>> {
  const { id, kind, content, days, confidence, author } = fact
  return {
    factId: id,
    kind,
    content,
    source: placeOf(fact),
    ...(days !== undefined && { timestamp: days.from, ...(days.isOpen !== true && { until: days.to ?? days.from }) }),
    ...(confidence !== undefined && { confidence }),
    author,
  }
}
