import type { DateOrder } from '@mnemark/core/dates'
import { dayInZone, type Degradation, type IndexView, type IndexViews, quoteHash, type StoreSnapshot } from '@mnemark/spec'
import { FactRegistry, type FactState } from '../facts/fact-registry.ts'
import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import { wholeLines } from '../facts/chunks/whole-lines.ts'
import { packFacts } from '../packs/pack-facts.ts'
import { spreadOverDays } from '../packs/spread-over-days.ts'
import type { OpinionOptions } from '../opinions/opinions-of.ts'
import { valuesOf } from '../values/values-of.ts'
import { askLegs, type FoundCandidates } from './ask-legs.ts'
import { askedSlot } from './asked-slot.ts'
import { type Candidate, compareCandidates } from './candidate.ts'
import { nearestFact } from './nearest-fact.ts'
import { hasWindow, type Question } from './question.ts'
import { readQuestion } from './read-question.ts'
import type { RecalledFact, RecallQuery, RecallReply } from './recall-reply.ts'
import { type RecallSettings, recallSettings } from './recall-settings.ts'
import { StatedOpinions } from '../opinions/stated-opinions.ts'

export interface RecallOptions {
  /** The memory whose index holds the facts, made with `bankAnnotator()`. */
  readonly memory: IndexViews
  /** Shared with others that read the facts of the same index. Default: one of its own. */
  readonly registry?: FactRegistry | undefined
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly now?: (() => number) | undefined
  /** IANA name. Default: the system's. */
  readonly timeZone?: string | undefined
  readonly dateOrder?: DateOrder | undefined
  /** The day on which each fact became known, YYYY-MM-DD; undefined = always known. Needed for `knownOn`. */
  readonly knownSince?: ((fact: IndexedFact) => string | undefined) | undefined
  /** Verdicts, typed numbers and what else is recorded about opinions, read at each question. */
  readonly opinionRecords?: (() => OpinionRecords) | undefined
}

export type OpinionRecords = Omit<OpinionOptions, 'asOf' | 'knownOn' | 'knownSince'>

/** Without a record every fact counts as always known: the answer must not pass for one of that day. */
const NOT_RECORDED: Degradation = {
  code: 'filter-unmatched',
  message: 'Nothing records when facts became known, so none of them is left out for that.',
}

/**
 * Answers questions from facts and plain passages: see the README. Rejects with ConfigError for an invalid query. One embedding of the question,
 * none where the memory has no provider.
 */
export function createRecall(options: RecallOptions): (query: RecallQuery) => Promise<RecallReply> {
  const { memory, registry = new FactRegistry(), now = Date.now } = options
  const opinions = new StatedOpinions()
  return async (query) => {
    const timeZone = options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
    const nowMs = now()
    const settings = recallSettings(query, { nowMs, timeZone })
    return memory.withIndex(
      async (view) => {
        const all = await registry.read(view.snapshot, query.filter)
        const state = known(all, settings, options)
        const { asOf, knownOn } = settings
        const records = { ...options.opinionRecords?.(), asOf, knownOn }
        const clock = { nowMs, timeZone, dateOrder: options.dateOrder }
        const question = { ...(await questionOf(state, settings, clock)), opinionOf: opinions.of(state, records) }
        const found = await askLegs(view, question, query)
        const unheeded = settings.knownOn !== undefined && options.knownSince === undefined ? [NOT_RECORDED] : []
        return replyOf(found, question, { ...view, degraded: [...view.degraded, ...unheeded] })
      },
      { signal: query.signal },
    )
  }
}

/** Facts that were true, and known, on the days that the query names. */
function known(state: FactState, { asOf, knownOn }: RecallSettings, { knownSince }: RecallOptions): FactState {
  if (asOf === undefined && knownOn === undefined) return state
  return state.only(
    (fact) =>
      (asOf === undefined || fact.days === undefined || fact.days.from <= asOf) &&
      (knownOn === undefined || (knownSince?.(fact) ?? '') <= knownOn),
  )
}

async function questionOf(
  state: FactState,
  settings: RecallSettings,
  clock: { readonly nowMs: number; readonly timeZone: string; readonly dateOrder: DateOrder | undefined },
): Promise<Omit<Question, 'opinionOf'>> {
  const read = readQuestion(settings.text, { entities: state.entities, ...clock })
  const asked = settings.entities.flatMap((name) => state.entities.find(name) ?? unknownEntity(name))
  const entities = [...new Map([...read.entities, ...asked].map((entity) => [entity.key, entity])).values()]
  const isGiven = settings.since !== undefined || settings.until !== undefined
  const { since, until } = isGiven ? settings : read
  const ofSubjects = state.slots.filter(
    ({ entity }) => entity === undefined || entities.some(({ key }) => state.entities.areOne(entity, key)),
  )
  const slot = entities.length === 0 ? undefined : await askedSlot(read.rest, ofSubjects)
  const { wish } = read
  return {
    settings,
    state,
    entities,
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    isWindowGiven: isGiven,
    ...(wish !== undefined && { wish }),
    rest: read.rest,
    ...(slot !== undefined && { slot }),
    values: valuesOf(state),
    day: [until, settings.asOf, dayInZone(clock.nowMs, clock.timeZone)].flatMap((day) => day ?? []).toSorted()[0] ?? '',
  }
}

/** An entity that no fact names: nothing is about it. */
function unknownEntity(name: string): Question['entities'][number] {
  return { key: name, name, slug: name, aliases: [], keys: [name] }
}

async function replyOf(found: FoundCandidates, question: Question, view: Omit<IndexView, 'searchLegs'>): Promise<RecallReply> {
  const { settings, entities, since, until, wish, slot } = question
  const ranked = ordered(found.candidates, question)
  const { limit, budgetTokens, withHistory } = settings
  const pack = packFacts(ranked, { limit, budgetTokens, withHistory })
  const isAsked = hasWindow(question) || entities.length > 0
  const isMissed =
    isAsked && (pack.items.length === 0 || (hasWindow(question) && slot === undefined && !pack.items.some(isOfDays)))
  const nearest = isMissed && budgetTokens > 0 ? nearestFact(question) : undefined
  return {
    facts: await Promise.all(pack.items.map((item) => factOf(item, view.snapshot))),
    dropped: pack.dropped,
    isOverBudget: pack.isOverBudget,
    read: {
      entities: entities.map(({ name }) => name),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(wish !== undefined && { wish }),
    },
    ...(nearest !== undefined && { nearest }),
    mode: found.mode,
    provider: found.provider,
    model: found.model,
    requestedProvider: found.requestedProvider,
    degraded: [...view.degraded, ...found.degraded, ...emptied(pack.items.length, question)],
    stale: view.stale,
  }
}

/** The citation names whole lines, so the hash is of these: by it they are found again. */
async function factOf({ build, lines }: Candidate, snapshot: StoreSnapshot): Promise<RecalledFact> {
  const text = lines === undefined ? undefined : await wholeLines(lines, snapshot)
  return text === undefined ? build() : { ...build(), quoteHash: quoteHash(text) }
}

function isOfDays({ day, isInWindow }: Candidate): boolean {
  return day !== undefined && isInWindow
}

/** Values, wishes and history are about what holds now or held then: of equals the newest leads. Days of a window have their turn each. */
function ordered(candidates: readonly Candidate[], question: Question): readonly Candidate[] {
  const { slot, wish, since, until, rest, entities } = question
  const isAboutSomebody = entities.length > 0 && (wish !== undefined || (rest === '' && !hasWindow(question)))
  const newestFirst = slot !== undefined || isAboutSomebody
  const ranked = candidates.toSorted(compareCandidates(newestFirst))
  if (since === undefined || until === undefined || newestFirst || rest !== '') return ranked
  return spreadOverDays(ranked, { from: since, to: until }, ({ day }) => (day === undefined ? undefined : { from: day }))
}

/** A question whose days leave nothing says so: else its answer reads as if nothing were known at all. */
function emptied(count: number, question: Question): readonly Degradation[] {
  if (count > 0 || !hasWindow(question)) return []
  const { since = '…', until = '…' } = question
  return [
    {
      code: 'filter-unmatched',
      message: `Nothing is known of the days asked for, ${since} to ${until}. Ask without a day, or for other days.`,
    },
  ]
}
