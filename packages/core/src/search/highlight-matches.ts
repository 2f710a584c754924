import { analyseRunOnce } from '../text/analyse.ts'
import { eachRunPlace } from '../text/runs.ts'
import { eachPackedGram, packGram } from '../text/packed-grams.ts'
import { readText } from '../text/letters/read-text.ts'
import { stemsOf } from '../text/stems/stem.ts'
import { hasNoGrams } from '../text/stems/stop-words.ts'
import { gramsOf, type Word } from '../text/words.ts'
import type { KeywordQuery, QueryWord } from '../keywords/query/keyword-query.ts'
import { LetterFilter } from './letter-filter.ts'

/** A range of a text that answers the query. */
export interface Match {
  readonly start: number
  readonly end: number
  /** Certainty and relevance of the match: snippets are chosen by it. */
  readonly weight: number
  /** Index of the query word. */
  readonly word: number
  /** True for another form of the word, found by shared letters. */
  readonly isForm?: boolean
}

/** A word of the query and the certainty of its match. */
interface Meeting {
  readonly word: number
  readonly kind: number
}

interface Place extends Meeting {
  readonly start: number
  readonly end: number
}

interface Wanted {
  readonly terms: ReadonlyMap<string, Meeting>
  readonly prefixes: readonly { readonly term: string; readonly word: number }[]
  readonly forms: Forms
  /** First two letters of the query's words: no other Latin word can have one of their stems. */
  readonly beginnings: ReadonlySet<string>
}

/** The query's words by their grams, to find other forms of them. */
interface Forms {
  /** Index of each word in the query. */
  readonly words: readonly number[]
  /** How many grams each word has. */
  readonly sizes: readonly number[]
  /** Words that have a gram: by the gram, and by its packed letters where it is ASCII. */
  readonly holders: ReadonlyMap<string, readonly number[]>
  readonly packedHolders: ReadonlyMap<number, readonly number[]>
}

const STOP_WEIGHT = 0.05
/** A part of a compound matches only where the compound does not: `14` beside `2026-03-14` is no match. */
const PART_WEIGHT = 0.3
const WORD_WEIGHT = 1
const COMPOUND_WEIGHT = 3
const FORM_WEIGHT = 0.6
/** Least weight of a word, even one that every chunk holds. */
const LEAST_WORTH = 0.05
/** Share of a query word's grams from which a word counts as another form of it. */
const FORM_SHARE = 0.5

/** The more certain one; of equals the first, since a query's words come before repetitions. */
function surer(left: Meeting | undefined, right: Meeting | undefined): Meeting | undefined {
  return (left?.kind ?? 0) >= (right?.kind ?? 0) ? left : right
}

function wantedBy(query: KeywordQuery): Wanted {
  const terms = new Map<string, Meeting>()
  for (const [at, word] of query.words.entries()) {
    const kind = word.isStop ? STOP_WEIGHT : word.isCompound ? COMPOUND_WEIGHT : word.isPart ? PART_WEIGHT : WORD_WEIGHT
    for (const { term, sameAs = [], otherwise = [] } of word.terms)
      for (const form of [term, ...[...sameAs, ...otherwise].map((key) => key.slice(1))])
        terms.set(form, surer(terms.get(form), { word: at, kind }) ?? { word: at, kind })
  }
  const prefixes = query.words.flatMap((word, at) => word.prefixes.map(({ term }) => ({ term, word: at })))
  const beginnings = new Set(query.words.map(({ term }) => term.slice(0, 2)))
  return { terms, prefixes, forms: formsOf(query), beginnings }
}

function formsOf(query: KeywordQuery): Forms {
  const words = [...query.words.keys()].filter((at) => isFormWanted(query.words[at]))
  const forms = words.flatMap((at) => query.words[at] ?? [])
  const holders = new Map<string, number[]>()
  const packedHolders = new Map<number, number[]>()
  forms.forEach((word, at) => {
    for (const { term } of word.grams) {
      holders.set(term, [...(holders.get(term) ?? []), at])
      const packed = packGram(term)
      if (packed !== undefined) packedHolders.set(packed, [...(packedHolders.get(packed) ?? []), at])
    }
  })
  return { words, sizes: forms.map(({ grams }) => grams.length), holders, packedHolders }
}

function isFormWanted(word: QueryWord | undefined): boolean {
  return word !== undefined && !word.isStop && !word.isPart && word.grams.length > 0
}

function meetingOf(word: Word, wanted: Wanted): Meeting | undefined {
  let best = wanted.terms.get(word.term)
  if (word.shared !== '') best = surer(best, wanted.terms.get(word.shared))
  for (const form of [...word.variants, ...word.parts]) best = surer(best, wanted.terms.get(form))
  if (word.script !== 'latin' || wanted.beginnings.has(word.term.slice(0, 2))) {
    for (const stem of stemsOf(word, undefined)) best = surer(best, wanted.terms.get(stem))
  }
  const prefix = wanted.prefixes.find(({ term }) => word.term.startsWith(term))
  if (prefix) best = surer(best, { word: prefix.word, kind: WORD_WEIGHT })
  if (best || word.script === 'han' || wanted.forms.sizes.length === 0 || hasNoGrams(word.term)) return best
  const form = formMet(word, wanted.forms)
  return form === undefined ? undefined : { word: form, kind: FORM_WEIGHT }
}

/** The query word that this is another form of: the one with the largest share of its grams. */
function formMet(word: Word, { words, sizes, holders, packedHolders }: Forms): number | undefined {
  let shared: number[] | undefined
  const count = (found: readonly number[] | undefined) => {
    if (!found) return
    shared ??= sizes.map(() => 0)
    for (const at of found) shared[at] = (shared[at] ?? 0) + 1
  }
  const isPacked = eachPackedGram(word, (packed) => count(packedHolders.get(packed)))
  if (!isPacked) for (const gram of gramsOf(word)) count(holders.get(gram))
  let best: { readonly at: number; readonly share: number } | undefined
  for (const [at, number] of (shared ?? []).entries()) {
    const share = number / (sizes[at] ?? 1)
    if (share >= FORM_SHARE && share > (best?.share ?? 0)) best = { at, share }
  }
  return best && words[best.at]
}

/** Matches in one run, with offsets in the run. */
function placesInRun(raw: string, wanted: Wanted): readonly Place[] {
  const run = analyseRunOnce(raw)
  let whole = run.whole === undefined ? undefined : wanted.terms.get(run.whole)
  for (const form of run.joined) whole = surer(whole, wanted.terms.get(form))
  if (whole) return [{ ...whole, start: 0, end: raw.length }]
  return run.words.flatMap((word) => {
    const met = meetingOf(word, wanted)
    return met ? [{ ...met, start: word.start, end: word.end }] : []
  })
}

const HAS_BIGRAM = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]{2}$/mu
const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]{2,}/gu

/** Han has no spaces, so a query's bigrams are searched in the text itself, all in one walk. */
function bigramPlaces(text: string, { holders, words }: Forms): Place[] {
  const places: Place[] = []
  if (!HAS_BIGRAM.test([...holders.keys()].join('\n'))) return places
  for (const { index, 0: run } of text.matchAll(NO_SPACES)) {
    for (let at = 0; at + 2 <= run.length; at += 1) {
      const holder = holders.get(run.slice(at, at + 2))?.[0]
      const word = holder === undefined ? undefined : words[holder]
      if (word !== undefined) places.push({ start: index + at, end: index + at + 2, word, kind: FORM_WEIGHT })
    }
  }
  return places
}

/**
 * Finds matches of the query and of other forms of its words in texts, by the same analysis as the index. `worth` is
 * the importance of each query word by its index; by default all are equal.
 */
export function createHighlighter(
  query: KeywordQuery,
  filter: Pick<LetterFilter, 'rejects'> = new LetterFilter(query),
  worth: readonly number[] = [],
): (text: string) => readonly Match[] {
  const wanted = wantedBy(query)
  // The texts of one answer share most of their words.
  const known = new Map<string, readonly Place[]>()
  return (text) => {
    const read = readText(text)
    const places = bigramPlaces(read.text, wanted.forms)
    eachRunPlace(read.text, (offset, end) => {
      if (filter.rejects(read.text, offset, end)) return
      const raw = read.text.slice(offset, end)
      const found = known.get(raw) ?? placesInRun(raw, wanted)
      known.set(raw, found)
      for (const place of found) places.push({ ...place, start: offset + place.start, end: offset + place.end })
    })
    // Function words alone are not highlighted, nor are parts beside their whole.
    const best = places.reduce((most, { kind }) => Math.max(most, kind), 0)
    const least = best >= COMPOUND_WEIGHT ? PART_WEIGHT : best > STOP_WEIGHT ? STOP_WEIGHT : 0
    return places
      .filter(({ kind }) => kind > least)
      .map(({ start, end, word, kind }) => ({
        start: read.sourceStart(start),
        end: read.sourceEnd(end),
        word,
        weight: kind * Math.max(LEAST_WORTH, worth[word] ?? 1),
        isForm: kind === FORM_WEIGHT,
      }))
  }
}
