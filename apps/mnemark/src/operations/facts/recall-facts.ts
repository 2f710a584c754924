import type { FactRegistry, RecalledEvidence, RecalledFact, RecallOptions, RecallQuery, RecallReply } from '@mnemark/bank'
import { type CallerContext, type CallOptions, ConfigError, type IndexViews, withoutBlanks } from '@mnemark/spec'
import { CommandError } from '../../failure.ts'
import type { Settings } from '../../config/load-settings.ts'
import { readJournal } from './journal-files.ts'
import { longTermFilter } from '../../memory/open/long-term.ts'

/** A question to the bank as a command line, a tool or a request says it. */
export interface FactQuestion
  extends Pick<RecallQuery, 'limit' | 'since' | 'until' | 'asOf' | 'knownOn' | 'entities' | 'kinds' | 'budgetTokens'> {
  readonly question: string
  readonly history?: boolean | undefined
}

/** The answer as all surfaces give it. */
export interface RecallDocument extends Omit<RecallReply, 'isOverBudget'> {
  /** True where nothing fitted the budget, and the best one came whole. */
  readonly overBudget: boolean
}

export interface Recalling extends CallOptions {
  readonly views: IndexViews
  readonly settings: Pick<Settings, 'timeZone' | 'memory' | 'namingScopes' | 'workspace'>
  readonly caller: CallerContext
  readonly now?: (() => number) | undefined
  /** Kept between questions by processes that answer many. */
  readonly registry?: FactRegistry | undefined
  /** Hides secrets. */
  readonly isMasking: boolean
}

/** Answers from facts and passages that the caller may see. Throws CommandError `bad-input` for a day, kind or limit that cannot be read. */
export async function recallFacts(asked: FactQuestion, recalling: Recalling): Promise<RecallDocument> {
  const { views, settings, caller, now, registry, signal, isMasking } = recalling
  const { createRecall } = await import('@mnemark/bank')
  const { timeZone, memory } = settings
  const knownSince = asked.knownOn === undefined ? undefined : await recordedDays(settings)
  const recall = createRecall({ memory: views, registry, now, timeZone, dateOrder: memory.dateOrder, knownSince })
  const { question, history, ...rest } = asked
  const filter = longTermFilter(settings, caller)
  const query: RecallQuery = { ...withoutBlanks(rest), text: question, withHistory: history, filter, signal }
  const { isOverBudget, ...reply } = await recall(query).catch(asBadInput)
  const shown = isMasking ? await masked(reply) : reply
  return { ...shown, overBudget: isOverBudget }
}

/** The days on which facts became known; undefined where nothing recorded them. */
async function recordedDays({ workspace, timeZone }: Recalling['settings']): Promise<RecallOptions['knownSince']> {
  const journal = await readJournal({ workspace })
  const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return journal.isEmpty ? undefined : (fact) => journal.knownSince(fact, zone)
}

/** The part of a start-up text that recall may fill. */
const SHARE_OF_CONTEXT = 1 / 4

/** Lines that the bank knows for the first question of a session; a failure leaves nothing but its reason. */
export async function recallForContext(
  question: string | undefined,
  { budgetTokens, signal }: CallOptions & { readonly budgetTokens: number },
  recall: (question: FactQuestion) => Promise<Pick<RecallDocument, 'facts' | 'degraded'>>,
): Promise<{ readonly recalled: readonly string[]; readonly problems: readonly string[] }> {
  if (question === undefined || question.trim() === '') return { recalled: [], problems: [] }
  try {
    const { facts, degraded } = await recall({ question, budgetTokens: Math.floor(budgetTokens * SHARE_OF_CONTEXT) })
    const { factLines } = await import('@mnemark/tools/host')
    return { recalled: factLines(facts), problems: degraded.map(({ message }) => message) }
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof Error)) throw error
    return { recalled: [], problems: [`nothing was recalled: ${error.message}`] }
  }
}

function asBadInput(error: unknown): never {
  if (!ConfigError.isInstance(error) || error.code !== 'invalid-value') throw error
  throw new CommandError('bad-input', error.message, { next: 'Correct the value, or leave it out.' })
}

async function masked<Reply extends Pick<RecallReply, 'facts' | 'nearest'>>(reply: Reply): Promise<Reply> {
  const facts = await Promise.all(reply.facts.map(maskFact))
  return { ...reply, facts, ...(reply.nearest && { nearest: await maskFact(reply.nearest) }) }
}

async function maskFact(fact: RecalledFact): Promise<RecalledFact> {
  const { maskText } = await import('@mnemark/masking')
  const earlier = await Promise.all((fact.earlier ?? []).map(async (one) => ({ ...one, content: await maskText(one.content) })))
  const maskQuotes = (lines: readonly RecalledEvidence[]): Promise<RecalledEvidence[]> =>
    Promise.all(lines.map(async (line) => ({ ...line, quote: await maskText(line.quote) })))
  const evidence = fact.evidence && {
    ...fact.evidence,
    for: await maskQuotes(fact.evidence.for),
    against: await maskQuotes(fact.evidence.against),
  }
  return { ...fact, content: await maskText(fact.content), ...(evidence && { evidence }), ...(earlier.length > 0 && { earlier }) }
}
