import { analyseRunOnce } from '../text/analyse.ts'
import { eachRunPlace } from '../text/runs.ts'
import { eachPackedGram, packGram } from '../text/packed-grams.ts'
import { stemOf } from '../text/stem.ts'
import { hasNoGrams } from '../text/stop-words.ts'
import { gramsOf, type Word } from '../text/words.ts'
import type { KeywordQuery } from '../keywords/keyword-query.ts'
import { LetterFilter } from './letter-filter.ts'

/** A range of a text that answers the query; heavier ones draw the snippet. */
export interface Match {
  readonly start: number
  readonly end: number
  readonly weight: number
}

interface Wanted {
  readonly terms: ReadonlyMap<string, number>
  readonly prefixes: readonly string[]
  readonly forms: Forms
  /** First two letters of the query's words: no other Latin word can have one of their stems. */
  readonly beginnings: ReadonlySet<string>
}

/** The query's words by their grams, for finding other forms of them. */
interface Forms {
  /** How many grams each word has. */
  readonly sizes: readonly number[]
  /** Which words have a gram: by the gram, and by its packed letters where it is ASCII. */
  readonly holders: ReadonlyMap<string, readonly number[]>
  readonly packedHolders: ReadonlyMap<number, readonly number[]>
}

const STOP_WEIGHT = 0.05
/** A part of a compound shines only where the compound does not: `14` beside `2026-03-14` says nothing. */
const PART_WEIGHT = 0.3
const WORD_WEIGHT = 1
const COMPOUND_WEIGHT = 3
const FORM_WEIGHT = 0.6
/** Share of a query word's grams from which a word counts as another form of it. */
const FORM_SHARE = 0.5

function wantedBy(query: KeywordQuery): Wanted {
  const terms = new Map<string, number>()
  for (const word of query.words) {
    const weight = word.isStop ? STOP_WEIGHT : word.isCompound ? COMPOUND_WEIGHT : word.isPart ? PART_WEIGHT : WORD_WEIGHT
    for (const { term } of word.terms) terms.set(term, Math.max(terms.get(term) ?? 0, weight))
  }
  const prefixes = query.words.flatMap((word) => word.prefixes.map(({ term }) => term))
  const beginnings = new Set(query.words.map(({ term }) => term.slice(0, 2)))
  return { terms, prefixes, forms: formsOf(query), beginnings }
}

function formsOf(query: KeywordQuery): Forms {
  const forms = query.words.filter((word) => !word.isStop && !word.isPart && word.grams.length > 0)
  const holders = new Map<string, number[]>()
  const packedHolders = new Map<number, number[]>()
  forms.forEach((word, at) => {
    for (const { term } of word.grams) {
      holders.set(term, [...(holders.get(term) ?? []), at])
      const packed = packGram(term)
      if (packed !== undefined) packedHolders.set(packed, [...(packedHolders.get(packed) ?? []), at])
    }
  })
  return { sizes: forms.map(({ grams }) => grams.length), holders, packedHolders }
}

function weightOf(word: Word, wanted: Wanted): number {
  let best = wanted.terms.get(word.term) ?? 0
  for (const variant of word.variants) best = Math.max(best, wanted.terms.get(variant) ?? 0)
  if (word.script !== 'latin' || wanted.beginnings.has(word.term.slice(0, 2))) {
    const stem = stemOf(word, undefined)
    if (stem !== undefined) best = Math.max(best, wanted.terms.get(stem) ?? 0)
  }
  if (wanted.prefixes.some((prefix) => word.term.startsWith(prefix))) best = Math.max(best, WORD_WEIGHT)
  if (best > 0 || word.script === 'han' || wanted.forms.sizes.length === 0 || hasNoGrams(word.term)) return best
  return isFormOf(word, wanted.forms) ? FORM_WEIGHT : 0
}

function isFormOf(word: Word, { sizes, holders, packedHolders }: Forms): boolean {
  let shared: number[] | undefined
  const count = (found: readonly number[] | undefined) => {
    if (!found) return
    shared ??= sizes.map(() => 0)
    for (const at of found) shared[at] = (shared[at] ?? 0) + 1
  }
  const isPacked = eachPackedGram(word, (packed) => count(packedHolders.get(packed)))
  if (!isPacked) for (const gram of gramsOf(word)) count(holders.get(gram))
  return shared !== undefined && sizes.some((size, at) => (shared?.[at] ?? 0) >= FORM_SHARE * size)
}

/** What of one run answers the query, with offsets in the run. */
function matchesOfRun(raw: string, wanted: Wanted): readonly Match[] {
  const run = analyseRunOnce(raw)
  const whole = run.whole === undefined ? 0 : (wanted.terms.get(run.whole) ?? 0)
  if (whole > 0) return [{ start: 0, end: raw.length, weight: whole }]
  return run.words.flatMap((word) => {
    const weight = weightOf(word, wanted)
    return weight > 0 ? [{ start: word.start, end: word.end, weight }] : []
  })
}

/** Han has no spaces, so a query's bigrams are looked for in the text itself. */
function bigramMatches(text: string, wanted: Wanted): Match[] {
  const matches: Match[] = []
  const bigrams = [...wanted.forms.holders.keys()].filter((gram) =>
    /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]{2}$/u.test(gram),
  )
  for (const bigram of bigrams) {
    for (let at = text.indexOf(bigram); at >= 0; at = text.indexOf(bigram, at + 1))
      matches.push({ start: at, end: at + bigram.length, weight: FORM_WEIGHT })
  }
  return matches
}

/** Finds the places of texts that answer the query, as it stands and in other forms, by the analysis that indexed them. */
export function createHighlighter(
  query: KeywordQuery,
  filter: Pick<LetterFilter, 'rejects'> = new LetterFilter(query),
): (text: string) => readonly Match[] {
  const wanted = wantedBy(query)
  // The texts of one answer share most of their words.
  const known = new Map<string, readonly Match[]>()
  return (text) => {
    const matches = bigramMatches(text, wanted)
    eachRunPlace(text, (offset, end) => {
      if (filter.rejects(text, offset, end)) return
      const raw = text.slice(offset, end)
      const found = known.get(raw) ?? matchesOfRun(raw, wanted)
      known.set(raw, found)
      for (const match of found) matches.push({ start: offset + match.start, end: offset + match.end, weight: match.weight })
    })
    // Function words alone are no reason to light up a text, nor are parts beside their whole.
    const best = Math.max(0, ...matches.map(({ weight }) => weight))
    const least = best >= COMPOUND_WEIGHT ? PART_WEIGHT : best > STOP_WEIGHT ? STOP_WEIGHT : 0
    return matches.filter(({ weight }) => weight > least)
  }
}
