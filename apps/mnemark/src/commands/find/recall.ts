import type { Invocation } from '../../command.ts'
import type { Options } from '../../command-line/command-line.ts'
import { oneOf, wholeNumber } from '../../command-line/option-values.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { openMemory } from '../../memory/open/open-memory.ts'
import { requireScopes } from '../../memory/open/owner-caller.ts'
import { type FactQuestion, type RecallDocument, recallFacts } from '../../operations/facts/recall-facts.ts'
import { readCaller } from '../caller-options.ts'
import { commandSettings } from '../command-settings.ts'
import { catchUp, settleFirst, syncWatched, withChatOfKey } from './search.ts'

const KINDS = ['world', 'experience', 'opinion', 'observation', 'note'] as const
const MOST_FACTS = 100
const MOST_TOKENS = 1_000_000

/** Answers a question from facts and passages: short, cited, the newest value first. */
export async function recall(invocation: Invocation): Promise<ExitCode> {
  const { words, options, console } = invocation
  const question = words.join(' ').trim()
  const answer = options.get('check')
  if (answer !== undefined && question !== '')
    throw new CommandError('bad-use', '--check takes no question', { next: 'Give the file with the answer alone.' })
  if (answer !== undefined) return (await import('./check-answer.ts')).checkAnswer(invocation, answer)
  if (question === '')
    throw new CommandError('bad-use', 'there is no question', { next: 'mnemark recall --help shows examples.' })
  const asked = readQuestion(question, options)
  const settings = await commandSettings(invocation, { notes: 'warnings' })
  requireMemory(settings)
  await settleFirst(settings, { console, isAgreed: options.has('yes') })
  const log = (message: string): void => console.note(`mnemark: ${message}`)
  const open = await openMemory(settings, { log, isBuiltInOnly: true })
  try {
    if (open.note !== null) console.note(`mnemark: ${open.note}`)
    if (open.isNew && console.isWatched) await syncWatched(open, settings, console)
    const caller = { ...(await withChatOfKey(readCaller(options))), agentId: settings.agentId }
    requireScopes(settings, caller)
    const reply = await recallFacts(asked, { views: open.views, settings, caller, isMasking: options.has('mask') })
    await deliver(reply, invocation)
    if (reply.stale) await catchUp(open, settings, console)
    if (reply.mode === 'unavailable') return EXIT.unavailable
    return reply.facts.length === 0 ? EXIT.nothing : EXIT.done
  } finally {
    await open.close()
  }
}

function readQuestion(question: string, options: Options): FactQuestion {
  const kind = oneOf(options, 'kind', KINDS)
  return {
    question,
    limit: wholeNumber(options, 'k', 1, MOST_FACTS),
    since: options.get('since'),
    until: options.get('until'),
    asOf: options.get('as-of'),
    knownOn: options.get('known-on'),
    entities: options.all('entity'),
    kinds: kind === undefined ? undefined : [kind],
    budgetTokens: wholeNumber(options, 'budget', 0, MOST_TOKENS),
    history: options.has('history'),
  }
}

async function deliver(reply: RecallDocument, { console }: Invocation): Promise<void> {
  console.document(reply)
  if (!console.isJson) (await import('./print-recall.ts')).printRecall(console, reply)
}
