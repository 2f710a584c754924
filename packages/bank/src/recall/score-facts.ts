import { citationOf, type LegHit } from '@mnemark/spec'
import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import { originKey, statementKey } from '../packs/statement.ts'
import { estimateTokens } from '@mnemark/core/text'
import type { SlotValue } from '../values/slot-value.ts'
import { timelineOf, valueOn, valuesOfFact } from '../values/values-of.ts'
import type { Candidate } from './candidate.ts'
import { isInWindow } from './in-window.ts'
import { aboutShare, hasWindow, type Question } from './question.ts'
import { endingOf, recalledFact } from './recalled-fact.ts'
import { statementOf } from '../opinions/stated-opinions.ts'

/** Part of a score that comes from being about what the question names; the rest is for what it says. */
export const ABOUT = 0.3
/** Share of the rest that a fact of the asked days has, whatever it says. */
export const IN_WINDOW = 0.15
const OF_WISH = 0.25
/** The value of the slot that the question asks for, on the day it asks for. */
const ASKED_VALUE = 0.97

/** How well a fact says what is asked, 0 to 1. */
type Relevance = (fact: IndexedFact) => number

/** Relevance of facts about the asked entities: by the share of the question's other words, and by meaning where there are vectors. */
export function ownRelevance(hits: readonly LegHit[], isByWords: boolean): Relevance {
  const found = new Map(hits.map(({ chunk, share, score }) => [chunk.id, isByWords ? share : (share + score) / 2]))
  return ({ chunkId }) => found.get(chunkId) ?? 0
}

/** Relevance of other facts: the score of a search. Function words alone, or a few letters, are no answer. */
export function relevanceAsFound(hits: readonly LegHit[], isByWords: boolean): Relevance {
  const found = new Map(hits.map(({ chunk, share, score }) => [chunk.id, isByWords && share === 0 ? 0 : score]))
  return ({ chunkId }) => found.get(chunkId) ?? 0
}

/** Facts as candidates; a fact that another one closed hands its score to that one. */
export function factCandidates(facts: readonly IndexedFact[], relevance: Relevance, question: Question): readonly Candidate[] {
  const { settings, values } = question
  const scores = new Map<IndexedFact, number>()
  for (const fact of facts) {
    const score = scoreOf(fact, relevance(fact), question)
    if (score > 0) scores.set(fact, score)
  }
  const closed = new Set<IndexedFact>()
  for (const [fact, score] of scores) {
    const { last, passed } = endOfChain(fact, question)
    for (const one of passed) closed.add(one)
    if (last !== undefined && last !== fact) scores.set(last, Math.max(scores.get(last) ?? 0, score))
  }
  return [...scores]
    .map(([fact, score]): Candidate => {
      const isState = isLasting(fact, valuesOfFact(values, fact)[0])
      return {
        kind: fact.kind,
        score,
        ...(fact.days !== undefined && { day: fact.days.from }),
        place: citationOf(fact.path, fact.startLine, fact.endLine),
        source: citationOf(fact.path, fact.startLine, fact.endLine),
        ...identityOf(fact, question),
        tokens: estimateTokens(fact.content),
        isClosed: closed.has(fact),
        isInWindow: isInWindow(fact.days, isState ? 'state' : 'event', question),
        build: () => recalledFact(shownFact(fact, question), score, question),
      }
    })
    .filter(({ kind }) => settings.kinds?.has(kind) ?? true)
}

/** A statement and what denies it are one; the denying line has the origin of the one that is shown for it. */
function identityOf(fact: IndexedFact, question: Question): Pick<Candidate, 'statement' | 'origin'> {
  const { state } = question
  const stated = question.opinionOf(fact)
  const isFolded = stated !== undefined && (stated.isFor || (fact.kind === 'opinion' && !hasWindow(question)))
  if (stated === undefined || !isFolded) {
    return { statement: statementKey(fact, (key) => state.entities.find(key)?.key ?? key), origin: originKey(fact) }
  }
  const { id } = stated.opinion
  return { statement: `opinion ${id}`, origin: originKey(shownFact(fact, question)) }
}

/** A line that denies an opinion is shown as the opinion with its evidence, but where its own day was asked for. */
function shownFact(fact: IndexedFact, question: Question): IndexedFact {
  const stated = fact.kind === 'opinion' && !hasWindow(question) ? question.opinionOf(fact) : undefined
  return stated === undefined || stated.isFor || question.settings.withHistory ? fact : statementOf(stated.opinion)
}

function scoreOf(fact: IndexedFact, relevance: number, question: Question): number {
  const { settings, entities, values, slot, wish, day } = question
  if (isRetracted(fact, question)) return 0
  if (fact.state === 'forget' || (fact.state === 'retracted' && !settings.withHistory)) return 0
  const about = aboutShare(fact, question)
  const mine = valuesOfFact(values, fact).filter(
    ({ entity }) => entities.length === 0 || entities.some(({ key }) => key === entity),
  )
  if (hasWindow(question) && !isInWindow(fact.days, isLasting(fact, mine[0]) ? 'state' : 'event', question)) return 0
  // A fact that only went on in those days, or has no day, is an answer where it says what is asked.
  const isAsked = slot !== undefined && mine.some((value) => value.slot === slot)
  if (hasWindow(question) && relevance === 0 && !isAsked && !touches(fact, question)) return 0
  // A fact about others is no answer, however alike; one without a name may be.
  if (entities.length > 0 && about === 0) return fact.entities.length > 0 ? 0 : relevance * (1 - ABOUT)
  if (slot !== undefined && mine.some((value) => value.slot === slot && isValueOn(value, values, day))) return ASKED_VALUE
  const ofWish = wish === 'preference' && fact.kind === 'opinion' ? OF_WISH : 0
  const ofWindow = hasWindow(question) && touches(fact, question) ? IN_WINDOW : 0
  if (entities.length === 0)
    return Math.min(1, relevance + (relevance > 0 ? ofWish / 2 : 0) + (question.rest === '' ? ofWindow : 0))
  return Math.min(1, ABOUT * about + ofWindow + ofWish * ABOUT + (1 - ABOUT - IN_WINDOW - OF_WISH * ABOUT) * relevance)
}

/** An opinion that was taken back on its page, not by another fact, which would stand in its place. */
function isRetracted(fact: IndexedFact, question: Question): boolean {
  if (fact.kind !== 'opinion' || question.settings.withHistory) return false
  const opinion = question.opinionOf(fact)?.opinion
  return opinion?.state === 'retracted' && !question.state.corrections.of.has(fact)
}

/** A fact that goes on until something replaces it. */
function isLasting(fact: IndexedFact, value: SlotValue | undefined): boolean {
  return value !== undefined || fact.days?.isOpen === true
}

function isValueOn(value: SlotValue, values: readonly SlotValue[], day: string): boolean {
  return valueOn(timelineOf(values, value), day) === value
}

/** Whether it happened or began in the days asked for; a state that only went on in them did not. */
function touches({ days }: IndexedFact, { since, until }: Question): boolean {
  return (
    days !== undefined &&
    (until === undefined || days.from <= until) &&
    (since === undefined || (days.isOpen ? days.from : (days.to ?? days.from)) >= since)
  )
}

/** The fact that stands at the end of a chain of corrections, undefined where none does, and the closed ones before it. */
function endOfChain(
  fact: IndexedFact,
  question: Question,
): { readonly last: IndexedFact | undefined; readonly passed: ReadonlySet<IndexedFact> } {
  const passed = new Set<IndexedFact>()
  let last: IndexedFact | undefined = fact
  while (last !== undefined && !passed.has(last)) {
    const heir = heirOf(last, valuesOfFact(question.values, last)[0], question)
    if (heir === null) return { last: last.state === undefined ? last : undefined, passed }
    passed.add(last)
    last = heir
  }
  return { last: undefined, passed }
}

/** The fact that stands in the place of a closed one; undefined = none does, null = it is not closed. */
function heirOf(
  fact: IndexedFact,
  value: SlotValue | undefined,
  { state, values, day }: Question,
): IndexedFact | null | undefined {
  if (fact.state === 'retracted') return undefined
  const ending = endingOf(fact, state.corrections.of.get(fact) ?? [], day)
  if (ending !== undefined) return ending.by
  if (value === undefined) return null
  if (!value.isVoid && (value.to === undefined || value.to >= day) && (value.from ?? '') <= day) {
    const current = valueOn(timelineOf(values, value), day)
    if (current === undefined || current === value)
      return fact === value.facts[0] || fact === value.facts.at(-1) ? null : value.facts[0]
    return current.facts[0]
  }
  return valueOn(timelineOf(values, value), day)?.facts[0]
}
