import { type CallerContext, ConfigError, type ListQuery, type ListReply, withoutBlanks } from '@mnemark/spec'
import type { Invocation } from '../../command.ts'
import type { Options } from '../../command-line/command-line.ts'
import { oneOf, wholeNumber } from '../../command-line/option-values.ts'
import type { Settings } from '../../config/load-settings.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { explainNothing } from '../../memory/index/nothing-indexed.ts'
import { openMemory } from '../../memory/open/open-memory.ts'
import { checkQuery } from '../../operations/check-query.ts'
import { readCaller } from '../caller-options.ts'
import { commandSettings } from '../command-settings.ts'
import { catchUp, readFilter, settleFirst, syncWatched, withChatOfKey } from './search.ts'

const MOST_NOTES = 1_000
/** About a screenful. */
const DEFAULT_NOTES = 20

/** Lists notes, newest first or by path, without a question. */
export async function recent(invocation: Invocation): Promise<ExitCode> {
  const { options, console } = invocation
  const limit = wholeNumber(options, 'k', 1, MOST_NOTES) ?? wholeNumber(options, 'n', 1, MOST_NOTES) ?? DEFAULT_NOTES
  const order = oneOf(options, 'order', ['newest', 'path'])
  const after = options.get('after')
  const query = withoutBlanks({ limit, order, after, filter: readFilter(options) }) ?? {}
  const reply = await listed(invocation, query)
  console.document(reply)
  if (!console.isJson) (await import('../../printing/print-list.ts')).printNotes(console, reply)
  return reply.notes.length === 0 ? EXIT.nothing : EXIT.done
}

/** Lists tags with how many notes have each and when it was last used. */
export async function tags(invocation: Invocation): Promise<ExitCode> {
  const { options, console } = invocation
  const query = withoutBlanks({ limit: 1, tags: true, filter: readFilter(options) }) ?? {}
  const { notes: _notes, next: _next, tags: counted = [], ...reply } = await listed(invocation, query)
  console.document({ tags: counted, ...reply })
  if (!console.isJson) (await import('../../printing/print-list.ts')).printTags(console, { ...reply, tags: counted })
  return counted.length === 0 ? EXIT.nothing : EXIT.done
}

async function listed(invocation: Invocation, query: Omit<ListQuery, 'caller'>): Promise<ListReply> {
  const { options, console } = invocation
  const settings = await commandSettings(invocation, { notes: 'warnings' })
  requireMemory(settings)
  checkQuery({ text: '', ...(query.filter && { filter: query.filter }) }, { sources: ['memory'], timeZone: settings.timeZone })
  await settleFirst(settings, { console, isAgreed: options.has('yes') })
  const log = (message: string): void => console.note(`mnemark: ${message}`)
  const open = await openMemory(settings, { vectors: 'none', log })
  try {
    if (open.note !== null) console.note(`mnemark: ${open.note}`)
    if (open.isNew && console.isWatched) await syncWatched(open, settings, console)
    const caller = await callerOf(options, settings)
    const reply = explainNothing(await open.memory.list({ ...query, caller }).catch(asBadInput), open.notes, true)
    if (reply.stale && settings.qmd === null) await catchUp(open, settings, console)
    return options.has('mask') ? await masked(reply) : reply
  } finally {
    await open.close()
  }
}

/** Reports an invalid cursor: everything else was checked before. */
function asBadInput(error: unknown): never {
  if (!ConfigError.isInstance(error)) throw error
  throw new CommandError('bad-input', error.message, { next: 'Correct the value, or leave it out.' })
}

async function callerOf(options: Options, { agentId }: Settings): Promise<CallerContext> {
  return { ...(await withChatOfKey(readCaller(options))), agentId }
}

/** A heading, and so a title, may hold a password. */
async function masked(reply: ListReply): Promise<ListReply> {
  const { maskTitles } = await import('@mnemark/masking')
  return maskTitles(reply)
}
