import { readTimeWindows } from '@mnemark/core/dates'
import { estimateTokens } from '@mnemark/core/text'
import { citationOf, type LegEntry, type LegHit, quoteHash } from '@mnemark/spec'
import { contentKey } from '../retain/fact-id.ts'
import type { Candidate } from './candidate.ts'
import { isInWindow } from './in-window.ts'
import { namedOf, namesInQuestion } from './names-in-question.ts'
import { hasWindow, type Question } from './question.ts'
import { ABOUT, IN_WINDOW } from './score-facts.ts'

/** Entries of one chunk that are offered, and the least part of the best one's words that each of them holds. */
const MOST_ENTRIES = 4
const LEAST_OF_BEST = 0.5
/** Weight of the words of an entry that names nobody, such as "she lives in Oslo", and of one that names others than the question. */
const OF_NOBODY = 0.35
const OF_OTHERS = 0.15
/** Least share of the question in a passage of other days, and what its score is worth. */
const LEAST_TOLD = 0.2
const TOLD_LATER = 0.8
/** A passage is not yet a fact: of equals the fact leads. */
const BELOW_FACTS = 0.97

interface Days {
  readonly from: string
  readonly to: string
}

/** Plain passages as candidates: of each chunk the bullets or sentences that answer. */
export function passageCandidates(hits: readonly LegHit[], question: Question, isByWords: boolean): readonly Candidate[] {
  return hits.flatMap((hit) => {
    const entries = hit.entries()
    const most = Math.max(0, ...entries.map(({ share }) => share))
    // Function words alone found it: only a vector may answer without a word of the question.
    if (hit.share === 0 && most === 0 && isByWords && question.entities.length === 0) return []
    const judged = entries.map((entry) => {
      const days = once(() => daysOf(entry, hit, question))
      return { entry, days, score: scoreOf(entry, hit, { question, most, days }) }
    })
    const best = Math.max(0, ...judged.map(({ score }) => score))
    return judged
      .filter(({ score }) => score > 0 && score >= best * LEAST_OF_BEST)
      .toSorted((left, right) => right.score - left.score)
      .slice(0, MOST_ENTRIES)
      .map(({ entry, days, score }) => candidateOf(entry, hit, { score, question, days: days() }))
  })
}

/** Days are read only of entries that may answer, since reading them costs more than all else. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

/**
 * Where the question names nobody, the score of a search, so that passages keep its order; else the name and the other words weigh as they do
 * for facts.
 */
function scoreOf(
  entry: LegEntry,
  hit: LegHit,
  { question, most, days }: { readonly question: Question; readonly most: number; readonly days: () => Days | undefined },
): number {
  const { entities, rest } = question
  if (entities.length === 0) {
    const score = hit.score * (most === 0 ? 1 : entry.share === 0 ? 0 : (1 + entry.share / most) / 2) * BELOW_FACTS
    return score === 0 ? 0 : score * ofDays(entry, hit, days, question)
  }
  const context = [...hit.chunk.headingTrail, entry.text].join('\n')
  const about = namedOf(context, entities, question.state.entities).length / entities.length
  const said = rest === '' ? 0 : entry.share
  if (about === 0 && said === 0) return 0
  const ofDay = ofDays(entry, hit, days, question)
  if (ofDay === 0) return 0
  if (about === 0)
    return ofDay * said * (namesInQuestion(context, question.state.entities).entities.length > 0 ? OF_OTHERS : OF_NOBODY)
  const ofWindow = hasWindow(question) && question.slot === undefined && ofDay === 1 ? IN_WINDOW : 0
  return ofDay * (ABOUT * about + ofWindow * about + (1 - ABOUT - IN_WINDOW) * said) * BELOW_FACTS
}

/**
 * 1 for a passage of the asked days. What happened is often told on another day: a passage of other days that holds most of the question's words
 * stands behind, but for days that were given as conditions.
 */
function ofDays(entry: LegEntry, hit: LegHit, days: () => Days | undefined, question: Question): number {
  if (!hasWindow(question) || isWithin(days(), question) || isWithin(writtenOn(hit), question)) return 1
  return question.isWindowGiven || question.rest === '' || entry.share < LEAST_TOLD ? 0 : TOLD_LATER
}

function isWithin(days: Days | undefined, question: Question): boolean {
  if (days === undefined) return false
  return isInWindow(days, question.slot === undefined ? 'event' : 'state', question)
}

function writtenOn({ from, to = from }: LegHit): Days | undefined {
  return from === undefined || to === undefined ? undefined : { from, to }
}

/** Days that the entry names itself, else those of its chunk. */
function daysOf({ text }: LegEntry, { from, to }: LegHit, question: Question): Days | undefined {
  const own =
    hasWindow(question) || question.slot !== undefined
      ? readTimeWindows(text, { today: from ?? question.day, yearless: 'nearest' })
      : []
  const first = own.flatMap((window) => window.from ?? []).toSorted()[0]
  const last = own
    .flatMap((window) => window.to ?? [])
    .toSorted()
    .at(-1)
  const start = first ?? last ?? from
  return start === undefined ? undefined : { from: start, to: last ?? (first === undefined ? (to ?? start) : first) }
}

function candidateOf(
  entry: LegEntry,
  hit: LegHit,
  { score, question, days }: { readonly score: number; readonly question: Question; readonly days: Days | undefined },
): Candidate {
  const { path } = hit.chunk.document
  const source = citationOf(path, entry.startLine, entry.endLine)
  const content = plain(entry.text)
  return {
    kind: 'note',
    score,
    ...(days !== undefined && { day: days.from }),
    place: source,
    source,
    statement: JSON.stringify(['', contentKey(content)]),
    origin: JSON.stringify(['note', days?.from ?? path]),
    tokens: estimateTokens(content),
    isClosed: false,
    lines: { chunk: hit.chunk, startLine: entry.startLine, endLine: entry.endLine },
    isInWindow: !hasWindow(question) || isWithin(days, question),
    build: () => ({
      kind: 'note',
      ...(days !== undefined && { timestamp: days.from, until: days.to }),
      entities: namesInQuestion(entry.text, question.state.entities).entities.map(({ name }) => name),
      content,
      source,
      quoteHash: quoteHash(linesOf(entry, hit)),
      score,
      tokens: estimateTokens(content),
    }),
  }
}

/** Without bullet and box, on one line. */
function plain(text: string): string {
  return text
    .replace(/^\s*(?:[-*+•]|\d{1,9}[.)])\s+(?:\[[ xX/-]\]\s+)?/u, '')
    .replace(/\s+/gu, ' ')
    .trim()
}

/** The cited lines as the chunk holds them. */
function linesOf({ startLine, endLine }: LegEntry, { chunk }: LegHit): string {
  return chunk.text
    .split('\n')
    .slice(startLine - chunk.startLine, endLine - chunk.startLine + 1)
    .join('\n')
}
