import { estimateTokens } from '@mnemark/core/text'
import { citationOf, quoteHash } from '@mnemark/spec'
import type { Correction } from '../facts/corrections.ts'
import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import type { Evidence, Opinion } from '../opinions/opinion.ts'
import type { SlotValue } from '../values/slot-value.ts'
import { timelineOf, valuesOfFact } from '../values/values-of.ts'
import { compareText } from '../retain/compare-text.ts'
import type { Question } from './question.ts'
import type { EarlierFact, RecalledEvidence, RecalledFact, RecalledReasons } from './recall-reply.ts'

/** A fact in the form of the answer. */
export function recalledFact(fact: IndexedFact, score: number, question: Question): RecalledFact {
  const { values } = question
  const [value] = valuesOfFact(values, fact)
  const earlier = earlierThan(fact, value, question)
  const closing = closingOf(fact, value, question)
  const opinion = fact.kind === 'opinion' ? question.opinionOf(fact)?.opinion : undefined
  const confidence = opinion === undefined ? fact.confidence : opinion.isRated ? opinion.confidence : undefined
  const state = closing ?? (opinion?.state === 'open' ? undefined : opinion?.state)
  const until = value === undefined ? lastDayOf(fact) : value.to
  return {
    kind: fact.kind,
    ...(fact.days !== undefined && { timestamp: fact.days.from }),
    ...(until !== undefined && { until }),
    entities: namesOf(fact, question),
    content: fact.content,
    source: citationOf(fact.path, fact.startLine, fact.endLine),
    quoteHash: quoteHash(fact.text),
    score,
    tokens: estimateTokens(fact.content),
    factId: fact.id,
    ...(confidence !== undefined && { confidence }),
    ...(opinion !== undefined && { evidence: reasonsOf(opinion) }),
    author: fact.author,
    ...(value !== undefined && { slot: value.slot }),
    ...(state !== undefined && { state }),
    ...(earlier.length > 0 && { earlier }),
  }
}

function closingOf(
  fact: IndexedFact,
  value: SlotValue | undefined,
  { state, day }: Question,
): 'closed' | 'retracted' | undefined {
  if (fact.state === 'retracted') return 'retracted'
  const ending = endingOf(fact, state.corrections.of.get(fact) ?? [], day)
  if (ending !== undefined) return ending.verb === 'retracts' ? 'retracted' : 'closed'
  return value !== undefined && (value.isVoid || (value.to !== undefined && value.to < day)) ? 'closed' : undefined
}

/** The relation that closed a fact by a day; proposals close nothing. */
export function endingOf(fact: IndexedFact, corrections: readonly Correction[], day: string): Correction | undefined {
  return corrections.find(
    ({ verb, by, isProposal }) =>
      !isProposal && ENDS.has(verb) && (verb !== 'supersedes' || (by.days?.from ?? fact.days?.from ?? '') <= day),
  )
}

const ENDS: ReadonlySet<string> = new Set(['corrects', 'supersedes', 'retracts'])

export function namesOf(fact: IndexedFact, { state }: Question): readonly string[] {
  return [...new Set([...fact.entities, ...fact.mentions].map(({ name, key }) => state.entities.find(key)?.name ?? name))]
}

function lastDayOf({ days }: IndexedFact): string | undefined {
  return days === undefined || days.isOpen === true ? undefined : (days.to ?? days.from)
}

const WHY = { corrects: 'corrected', supersedes: 'superseded', retracts: 'retracted' } as const

/** All that a fact replaced, struck words of its own line, earlier values of its slot, and corrections that a person has not agreed to. */
function earlierThan(fact: IndexedFact, value: SlotValue | undefined, { state, values, day }: Question): readonly EarlierFact[] {
  const source = citationOf(fact.path, fact.startLine, fact.endLine)
  const struck = fact.earlier.map((content): EarlierFact => ({ content, source, why: 'corrected' }))
  const found = new Map<IndexedFact, EarlierFact>()
  for (const { target, verb, isProposal } of state.corrections.by.get(fact) ?? [])
    if (!isProposal && (verb === 'corrects' || verb === 'supersedes' || verb === 'retracts'))
      found.set(target, earlierFact(target, WHY[verb]))
  for (const { by, isProposal } of state.corrections.of.get(fact) ?? [])
    if (isProposal) found.set(by, earlierFact(by, 'proposed correction'))
  if (value !== undefined)
    for (const other of timelineOf(values, value))
      if (isBefore(other, value, day))
        for (const one of other.facts) if (!found.has(one)) found.set(one, earlierFact(one, 'earlier value'))
  const listed = [...found.values()].toSorted((left, right) => compareText(right.timestamp ?? '', left.timestamp ?? ''))
  return [...struck, ...listed]
}

function isBefore(other: SlotValue, value: SlotValue, day: string): boolean {
  return other !== value && (other.from ?? '') <= day && (other.from ?? '') <= (value.from ?? '')
}

function earlierFact({ content, path, startLine, endLine, days }: IndexedFact, why: EarlierFact['why']): EarlierFact {
  return { content, source: citationOf(path, startLine, endLine), ...(days !== undefined && { timestamp: days.from }), why }
}

/** Lines of evidence shown each way. */
const MOST_SHOWN = 2

function reasonsOf({ evidence, groups }: Opinion): RecalledReasons {
  return { for: evidence.for.slice(0, MOST_SHOWN).map(shown), against: evidence.against.slice(0, MOST_SHOWN).map(shown), groups }
}

function shown({ fact }: Evidence): RecalledEvidence {
  const { content, path, startLine, endLine, days } = fact
  return { source: citationOf(path, startLine, endLine), quote: content, ...(days !== undefined && { timestamp: days.from }) }
}
