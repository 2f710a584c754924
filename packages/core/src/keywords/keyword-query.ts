import { analyseRunOnce } from '../text/analyse.ts'
import { eachRun } from '../text/runs.ts'
import type { ScriptClass } from '../text/scripts.ts'
import { isStopWord } from '../text/stop-words.ts'
import type { Word } from '../text/words.ts'
import { type ChannelName, keyOf } from './channels.ts'
import { isDateTerm } from './date-terms.ts'
import { normalisePath } from './path-terms.ts'
import { phraseKey } from './phrase.ts'
import { parseQuery } from './query-syntax.ts'

export interface QueryTerm {
  readonly key: string
  readonly term: string
  readonly channel: ChannelName
  /** Factor of the term's BM25. */
  readonly weight: number
}

/** One word or compound of the query. Any of its terms is a match; its grams are a match by the share of them found. */
export interface QueryWord {
  readonly term: string
  readonly terms: readonly QueryTerm[]
  readonly grams: readonly QueryTerm[]
  /** Key prefixes, each standing for all keys that begin with it. */
  readonly prefixes: readonly QueryTerm[]
  readonly isStop: boolean
  readonly isCompound: boolean
}

export interface QueryPhrase {
  /** See `phraseKey`. */
  readonly key: string
  /** A chunk with the phrase has all of these keys. */
  readonly required: readonly string[]
}

export interface KeywordQuery {
  readonly words: readonly QueryWord[]
  /** Typed in quotes: a hit must hold them. */
  readonly phrases: readonly QueryPhrase[]
  /** Compounds: a hit that holds one in a row ranks above one with scattered parts. */
  readonly compounds: readonly string[]
  /** A hit must hold none of these. */
  readonly excluded: readonly QueryPhrase[]
  /** The whole query as a file's path, name or stem. */
  readonly name: string
}

const WEIGHTS = { text: 1, context: 0.5, path: 0.3, name: 1, date: 1, variant: 0.6, compound: 1.5 } as const
const STOP_WEIGHT = 0.1

/** How much the grams of a script add to its words; `split` divides by √n, n = grams of the word. Measured: see docs/quality.md. */
const GRAM_WEIGHTS: Readonly<Record<ScriptClass, { readonly weight: number; readonly split: boolean }>> = {
  latin: { weight: 1.5, split: true },
  greek: { weight: 3, split: true },
  cyrillic: { weight: 3, split: true },
  arabic: { weight: 1, split: false },
  hebrew: { weight: 3, split: true },
  han: { weight: 0.5, split: true },
  hangul: { weight: 3, split: true },
  unspaced: { weight: 3, split: true },
  other: { weight: 3, split: true },
}

function exactTerm(channel: ChannelName, term: string, weight: number): QueryTerm {
  return { key: keyOf(channel, term), term, channel, weight }
}

function fieldTerms(term: string, weight: number): QueryTerm[] {
  const terms = [
    exactTerm('text', term, weight * WEIGHTS.text),
    exactTerm('context', term, weight * WEIGHTS.context),
    exactTerm('path', term, weight * WEIGHTS.path),
  ]
  if (isDateTerm(term)) terms.push(exactTerm('date', term, weight * WEIGHTS.date))
  return terms
}

function queryWord(word: Word): QueryWord {
  const isStop = isStopWord(word.term)
  const weight = isStop ? STOP_WEIGHT : 1
  const terms = [
    ...fieldTerms(word.term, weight),
    ...word.variants.flatMap((variant) => fieldTerms(variant, weight * WEIGHTS.variant)),
  ]
  const rule = GRAM_WEIGHTS[word.script]
  const grams = isStop && word.script !== 'han' ? [] : [...new Set(word.grams)]
  const gramWeight = (weight * rule.weight) / (rule.split ? Math.sqrt(grams.length) : 1)
  // A lone letter of Han has no bigram: every bigram it begins stands for it.
  const isLetter = word.script === 'han' && !isStop && grams.length === 1 && grams[0] === `${word.term}$`
  return {
    term: word.term,
    terms,
    grams: isLetter ? [] : grams.map((gram) => exactTerm('gram', gram, gramWeight)),
    prefixes: isLetter ? [exactTerm('gram', word.term, weight)] : [],
    isStop,
    isCompound: false,
  }
}

function compoundWord(whole: string): QueryWord {
  const terms = [...fieldTerms(whole, WEIGHTS.compound), exactTerm('name', whole, WEIGHTS.name)]
  return { term: whole, terms, grams: [], prefixes: [], isStop: false, isCompound: true }
}

function prefixWord(prefix: string): QueryWord[] {
  const run = analyseRunOnce(prefix)
  const term = run.whole ?? run.words.at(-1)?.term
  if (term === undefined) return []
  const prefixes = [exactTerm('text', term, WEIGHTS.text), exactTerm('context', term, WEIGHTS.context)]
  return [{ term: `${term}*`, terms: [], grams: [], prefixes, isStop: false, isCompound: false }]
}

function phraseOf(text: string): QueryPhrase[] {
  const key = phraseKey(text)
  if (key === '') return []
  const required: string[] = []
  eachRun(text, (raw) => {
    for (const word of analyseRunOnce(raw).words) {
      if (word.script === 'han')
        required.push(...word.grams.filter((gram) => !gram.endsWith('$')).map((gram) => keyOf('gram', gram)))
      else if (word.script !== 'unspaced') required.push(keyOf('text', word.term))
    }
  })
  return [{ key, required: [...new Set(required)] }]
}

/** Analyses what a person typed with the same functions as documents. A query without words has none. */
export function compileQuery(text: string): KeywordQuery {
  const syntax = parseQuery(text)
  const words = new Map<string, QueryWord>()
  const compounds = new Set<string>()
  eachRun(syntax.text, (raw) => {
    const run = analyseRunOnce(raw)
    for (const word of run.words) if (!words.has(word.term)) words.set(word.term, queryWord(word))
    if (run.whole !== undefined) {
      words.set(run.whole, compoundWord(run.whole))
      if (run.words.length > 1) compounds.add(phraseKey(raw))
    }
  })
  for (const word of syntax.prefixes.flatMap(prefixWord)) words.set(word.term, word)
  return {
    words: [...words.values()],
    phrases: syntax.phrases.flatMap(phraseOf),
    compounds: [...compounds],
    excluded: syntax.excluded.flatMap(phraseOf),
    name: normalisePath(syntax.text),
  }
}
