import type { DateOrder } from '../../dates/forms/date-matcher.ts'
import { type DateMention, readDates } from '../../dates/read-dates.ts'
import { analyseRunOnce, wordsOf } from '../../text/analyse.ts'
import { eachRun } from '../../text/runs.ts'
import type { ScriptClass } from '../../text/scripts.ts'
import { guessLatinLanguage, isStopWord, type LatinLanguage } from '../../text/stems/stop-words.ts'
import { joinedNeighbours } from '../../text/neighbours.ts'
import { readText } from '../../text/letters/read-text.ts'
import { looseStemsOf, stemsOf } from '../../text/stems/stem.ts'
import { gramsOf, type Run, sharedGramOf, type Word } from '../../text/words.ts'
import { type ChannelName, keyOf } from '../format/channels.ts'
import { termsOfMention } from '../terms/date-terms.ts'
import { KEYWORD_TUNING, type KeywordTuning, OTHERWISE } from './keyword-tuning.ts'
import { wordNameTerms } from '../terms/name-terms.ts'
import { nameKey } from '../terms/name-key.ts'
import { normalisePath } from '../../document/names/path-terms.ts'
import { phraseKey } from './phrase.ts'
import { parseQuery } from '../terms/query-syntax.ts'

export interface QueryTerm {
  readonly key: string
  readonly term: string
  readonly channel: ChannelName
  /** Factor of the term's BM25. */
  readonly weight: number
  /** Keys whose postings count as this term's. */
  readonly sameAs?: readonly string[]
  /** Keys of the same term in other spellings: they count less, see `weighQuery`. */
  readonly otherwise?: readonly string[]
}

/** One word or compound of the query. Any of its terms is a match; its grams match by the share of them found. */
export interface QueryWord {
  readonly term: string
  readonly terms: readonly QueryTerm[]
  readonly grams: readonly QueryTerm[]
  /** Key prefixes, each standing for all keys that begin with it. */
  readonly prefixes: readonly QueryTerm[]
  readonly isStop: boolean
  readonly isCompound: boolean
  /** True where the query has it only inside a compound. */
  readonly isPart: boolean
  /** The compound or date that it belongs to together with other words, or is. */
  readonly unit?: string | undefined
  /** An alternative spelling of words of the query: it counts where it is found, and does not count as missing elsewhere. */
  readonly isOptional?: true
}

export interface QueryPhrase {
  /** Text of the phrase as typed. */
  readonly text: string
  /** See `phraseKey`. */
  readonly key: string
  /** A chunk with the phrase has at least one key of each group. */
  readonly required: readonly (readonly string[])[]
}

export interface QueryName {
  /** The query as the path, name or stem of a file. */
  readonly path: string
  /** The query as any name: see `nameKey`. The second key has its content words alone, `rent` in `what is the rent`. */
  readonly keys: readonly string[]
  /**
   * Terms of which a longer name must hold one per entry. Empty for a query with a date, without a content word, or
   * longer than a name.
   */
  readonly words: readonly (readonly string[])[]
}

export interface KeywordQuery {
  readonly words: readonly QueryWord[]
  /** Phrases in quotes: a hit must hold them; beside other words they only rank higher where no chunk holds them. */
  readonly phrases: readonly QueryPhrase[]
  /** Phrases that are names: a hit that holds one ranks first. */
  readonly names: readonly QueryPhrase[]
  readonly isPhraseOnly: boolean
  /** True where one of the phrases is enough; a hit with more of them ranks higher. */
  readonly isAnyPhrase?: boolean
  /** Compounds: a hit that holds one in a row ranks above one with scattered parts. */
  readonly compounds: readonly string[]
  /** Phrases that no hit may hold. */
  readonly excluded: readonly QueryPhrase[]
  /** The query as the name of a note or section. */
  readonly name: QueryName
  readonly tuning: KeywordTuning
}

/** Weight of the grams of a script beside its words; `split` divides by √n, n = grams of the word. Measured: docs/quality.md. */
interface GramRule {
  readonly weight: number
  readonly split: boolean
}

const GRAM_RULE: GramRule = { weight: 3, split: true }
const GRAM_RULES: Partial<Readonly<Record<ScriptClass, GramRule>>> = {
  arabic: { weight: 1, split: false },
  han: { weight: 0.5, split: true },
}
/** Vietnamese separates its syllables, so its grams mislead; English has few forms of a word. */
const LATIN_GRAM_WEIGHTS: Partial<Readonly<Record<LatinLanguage, number>>> = { en: 1, vi: 0.3 }
const UNKNOWN_LATIN_GRAM_WEIGHT = 1.5

function gramRule(script: ScriptClass, language: LatinLanguage | undefined): GramRule {
  if (script !== 'latin') return GRAM_RULES[script] ?? GRAM_RULE
  const weight = language === undefined ? UNKNOWN_LATIN_GRAM_WEIGHT : (LATIN_GRAM_WEIGHTS[language] ?? GRAM_RULE.weight)
  return { weight, split: true }
}

function exactTerm(channel: ChannelName, term: string, weight: number): QueryTerm {
  return { key: keyOf(channel, term), term, channel, weight }
}

const SPELLING_OF = { text: 'spelling', context: 'spellingContext' } as const

/** A word in this spelling and in others: `shared` is their common form. */
function spelledTerm(channel: 'text' | 'context', term: string, weight: number, shared: string): QueryTerm {
  const otherwise = [keyOf(SPELLING_OF[channel], shared), ...(shared === term ? [] : [keyOf(channel, shared)])]
  return { ...exactTerm(channel, term, weight), otherwise }
}

function gramTerm(gram: string, script: ScriptClass, weight: number): QueryTerm {
  const term = exactTerm('gram', gram, weight)
  return script === 'han' ? { ...term, otherwise: sharedGramKeys(gram) } : term
}

function sharedGramKeys(gram: string): readonly string[] {
  const shared = sharedGramOf(gram)
  return [keyOf('spellingGram', shared), ...(shared === gram ? [] : [keyOf('gram', shared)])]
}

type Weights = KeywordTuning['weights']

function fieldTerms(term: string, weight: number, weights: Weights, shared: string = term): QueryTerm[] {
  return [
    spelledTerm('text', term, weight, shared),
    spelledTerm('context', term, weight * weights.context, shared),
    ...[...new Set([term, shared])].map((form) => exactTerm('path', form, weight * weights.path)),
  ]
}

/** One term for all words with this stem, and for the stem itself as a word. */
function stemTermsOf(word: Word, language: LatinLanguage | undefined, weight: number): QueryTerm[] {
  const stems = stemsOf(word, language)
  // The word itself may be the stem of a longer one.
  const [stem, ...others] = word.script === 'hebrew' ? [word.shared || word.term, ...stems] : stems
  if (stem === undefined) return []
  const sameAs = [...others.map((each) => keyOf('stem', each)), ...stems.map((each) => keyOf('text', each))]
  return [{ ...exactTerm('stem', stem, weight), sameAs }]
}

function looseTermsOf(word: Word, weight: number): QueryTerm[] {
  const loose = looseStemsOf(word)
  const [stem, ...others] = loose
  if (stem === undefined) return []
  const sameAs = [...[...others, word.term].map((each) => keyOf('stem', each)), ...loose.map((each) => keyOf('text', each))]
  return [{ ...exactTerm('stem', stem, weight), sameAs }]
}

function isWeighty({ weight }: QueryTerm): boolean {
  return weight > 0
}

function letterPrefixes({ term, script }: Word, weight: number): QueryTerm[] {
  if (script !== 'han') return [exactTerm('gram', term, weight)]
  const shared = sharedGramOf(term)
  const others = [
    exactTerm('spellingGram', shared, weight * OTHERWISE),
    ...(shared === term ? [] : [exactTerm('gram', shared, weight * OTHERWISE)]),
  ]
  return [exactTerm('gram', term, weight), ...others]
}

const NO_WORD = { terms: [], grams: [], prefixes: [], isStop: false, isCompound: false, isPart: false } satisfies Omit<
  QueryWord,
  'term'
>

interface PlaceInQuery {
  readonly weights: Weights
  readonly language: LatinLanguage | undefined
  readonly isInDate: boolean
  readonly isPart: boolean
  readonly unit: string | undefined
  /** True for one word, or function words alone: they are the subject and match all they can. */
  readonly isAlone: boolean
}

function queryWord(word: Word, { weights, language, isInDate, isPart, unit, isAlone }: PlaceInQuery): QueryWord {
  const shared = word.shared || word.term
  const isStop = isStopWord(word.term, language) || isStopWord(shared, language)
  const weight = isStop ? weights.stop : isInDate ? weights.wordOfDate : 1
  const terms = [
    ...fieldTerms(word.term, weight, weights, shared),
    ...[...word.variants, ...word.parts].flatMap((variant) => fieldTerms(variant, weight * weights.variant, weights)),
    // Function words have no stems in the index; searching them would only read the longest lists twice.
    ...(isStop ? [] : stemTermsOf(word, language, weight * weights.stem)),
    ...(isStop ? [] : looseTermsOf(word, weight * weights.looseStem)),
  ]
  const rule = gramRule(word.script, language)
  const grams = isStop && !isAlone && word.script !== 'han' ? [] : [...new Set(gramsOf(word))]
  const gramWeight = (weight * weights.gram * rule.weight) / (rule.split ? Math.sqrt(grams.length) : 1)
  // A lone Han letter has no bigram: every bigram that begins with it replaces it. A lone Hangul syllable may be a word.
  const isLone = word.script === 'han' ? !isStop || isAlone : word.script === 'hangul' && isAlone
  const isLetter = isLone && grams.length === 1 && grams[0] === `${word.term}$`
  return {
    term: word.term,
    terms: terms.filter(isWeighty),
    grams: isLetter ? [] : grams.map((gram) => gramTerm(gram, word.script, gramWeight)).filter(isWeighty),
    prefixes: isLetter ? letterPrefixes(word, weight) : [],
    isStop,
    isCompound: false,
    isPart,
    unit,
  }
}

function unitOfDate({ start }: DateMention): string {
  return `date ${start}`
}

function dateWord(mention: DateMention, text: string, weights: Weights): QueryWord {
  const terms = termsOfMention(mention)
    .map((term) => exactTerm('date', term, weights.date))
    .filter(isWeighty)
  return { ...NO_WORD, term: text.slice(mention.start, mention.end), terms, unit: unitOfDate(mention) }
}

/** A compound with its signs, and without them. */
function compoundWord(
  whole: string,
  joined: readonly string[],
  { unit, weights }: { unit: string; weights: Weights },
): QueryWord {
  const terms = [
    ...fieldTerms(whole, weights.compound, weights).map((term) => withJoined(term, joined)),
    exactTerm('name', whole, weights.name),
    ...(whole.includes(':') ? [exactTerm('property', whole, weights.property)] : []),
  ].filter(isWeighty)
  return { ...NO_WORD, term: whole, terms, isCompound: true, unit }
}

function withJoined(term: QueryTerm, joined: readonly string[]): QueryTerm {
  const { channel } = term
  if (channel !== 'text' && channel !== 'context') return term
  return { ...term, otherwise: joined.flatMap((each) => [keyOf(SPELLING_OF[channel], each), keyOf(channel, each)]) }
}

/** Separate parts of the query joined to one word: `it's`, `نرم افزار`, `1 050`. */
function joinedWord(joined: string, unit: string | undefined, { joined: weight, context }: Weights): QueryWord {
  const terms = (['text', 'context'] as const).map((channel): QueryTerm => {
    const term = exactTerm(SPELLING_OF[channel], joined, channel === 'text' ? weight : weight * context)
    return { ...term, otherwise: [keyOf(channel, joined)] }
  })
  return { ...NO_WORD, term: joined, terms: terms.filter(isWeighty), isCompound: true, isOptional: true, unit }
}

function prefixWord(prefix: string, weights: Weights): QueryWord[] {
  const run = analyseRunOnce(readText(prefix).text)
  const term = run.whole ?? run.words.at(-1)?.term
  if (term === undefined) return []
  const prefixes = [
    exactTerm('text', term, 1),
    exactTerm('context', term, weights.context),
    exactTerm('stem', term, weights.stem),
    exactTerm('spelling', run.whole === undefined ? run.words.at(-1)?.shared || term : term, OTHERWISE),
  ]
  return [{ ...NO_WORD, term: `${term}*`, prefixes }]
}

/** For each word of a run, the keys of which a chunk with the word has one: the word may be in the text or above it. */
function requiredBy(run: Run): readonly string[][] {
  return run.words.flatMap((word) => {
    if (word.script === 'unspaced') return []
    if (word.script === 'han')
      return gramsOf(word).flatMap((gram) => (gram.endsWith('$') ? [] : [[keyOf('gram', gram), ...sharedGramKeys(gram)]]))
    return (word.parts.length > 1 ? word.parts : [word.shared || word.term]).map((form) => [
      ...new Set(
        [form, word.term].flatMap((each) => [
          keyOf('text', each),
          keyOf('context', each),
          keyOf('spelling', each),
          keyOf('spellingContext', each),
        ]),
      ),
    ])
  })
}

function phraseOf(text: string): QueryPhrase[] {
  const key = phraseKey(text)
  if (key === '') return []
  const required: (readonly string[])[] = []
  eachRun(readText(text).text, (raw) => required.push(...requiredBy(analyseRunOnce(raw))))
  return [{ text: text.trim(), key, required }]
}

function languageOf(text: string): LatinLanguage | undefined {
  const words = wordsOf(text).filter(({ script }) => script === 'latin')
  return guessLatinLanguage(
    text,
    words.map(({ term }) => term),
  )
}

/** Longer queries, by words or pairs of Han letters, are questions and no part of a name. */
const MAX_NAME_PARTS = 12

interface PlacedInRun {
  readonly word: Word
  readonly run: Run
  readonly isStop: boolean
}

function queryName(text: string, asked: readonly PlacedInRun[]): QueryName {
  // The signs of `C++` are part of the word.
  const written = ({ word, run }: PlacedInRun) => (run.words.length === 1 ? (run.whole ?? word.term) : word.term)
  const content = asked.filter(({ isStop }) => !isStop)
  const runs = new Set(content.map(({ run }) => run))
  const keys = [nameKey(text), nameKey(content.map(written).join(' '))]
  // A run of Han is one piece, including its function words.
  const words = asked
    .filter(({ word, run, isStop }) => !isStop || (word.script === 'han' && runs.has(run)))
    .flatMap((each) => wordNameTerms(each.word, written(each)))
  return {
    path: normalisePath(text),
    keys: [...new Set(keys)].filter((key) => key !== ''),
    words: words.length > MAX_NAME_PARTS ? [] : words,
  }
}

export interface QueryReading {
  readonly nowMs: number
  /** IANA name. Read only where the query names a date: the system's zone costs 20 ms. */
  readonly timeZone: string
  /** Order of `3/4/2026`. */
  readonly dateOrder?: DateOrder | undefined
  readonly tuning?: KeywordTuning
  /** True where a filter comes with the query: see `parseQuery`. */
  readonly isFiltered?: boolean
}

/** The same query for an index in which no chunk holds its phrases: searches their words, and ranks them higher in a row. */
export function withoutPhrases(query: KeywordQuery): KeywordQuery {
  return { ...query, phrases: [], compounds: [...query.compounds, ...query.phrases.map(({ key }) => key)] }
}

/** The same query with other names of what it names: their words count where they are found, and do not count as missing elsewhere. */
export function withOtherNames(query: KeywordQuery, names: readonly string[], reading: QueryReading): KeywordQuery {
  const known = new Set(query.words.map(({ term }) => term))
  const others = compileQuery(names.join('\n'), reading).words.filter(({ term, isStop }) => !isStop && !known.has(term))
  const words = new Map(others.map((word) => [word.term, { ...word, isCompound: true, isOptional: true as const }]))
  return { ...query, words: [...query.words, ...words.values()] }
}

/** Ties adjacent words to their joined form; undefined where one of them belongs to something else. */
function unitOfNeighbours(words: Map<string, QueryWord>, parts: readonly string[], joined: string): string | undefined {
  const tied = parts.map((part) => words.get(part))
  if (tied.some((word) => word === undefined || word.unit !== undefined)) return undefined
  const unit = `joined ${joined}`
  for (const word of tied) if (word) words.set(word.term, { ...word, unit })
  return unit
}

/**
 * Analyses typed text with the same functions as documents; dates are read relative to `reading`. A query without words
 * has none.
 */
export function compileQuery(text: string, reading: QueryReading): KeywordQuery {
  const { tuning = KEYWORD_TUNING } = reading
  const { weights } = tuning
  const syntax = parseQuery(text, reading.isFiltered)
  const mentions = readDates(syntax.text, reading)
  const mentionAt = (at: number) => mentions.find(({ start, end }) => start <= at && at < end)
  const language = languageOf(syntax.text)
  const words = new Map<string, QueryWord>()
  const compounds = new Set<string>()
  const read = readText(syntax.text)
  const placed = wordsOf(syntax.text)
  const isFunctionWord = ({ term, shared }: Word) => isStopWord(term, language) || isStopWord(shared || term, language)
  const isAlone = placed.length === 1 || placed.every(isFunctionWord)
  const addJoined = (joined: string, unit?: string): void => {
    if (!words.has(joined)) words.set(joined, joinedWord(joined, unit, weights))
  }
  const asked: PlacedInRun[] = []
  eachRun(read.text, (raw, offset) => {
    const run = analyseRunOnce(raw)
    // An alternative spelling of a run covers its words.
    const runUnit = run.whole ?? (run.joined.length > 0 ? raw : undefined)
    for (const word of run.words) {
      const mention = mentionAt(read.sourceStart(offset + word.start))
      const unit = mention ? unitOfDate(mention) : runUnit
      const place = { weights, language, isInDate: mention !== undefined, isPart: run.whole !== undefined, unit, isAlone }
      asked.push({ word, run, isStop: isFunctionWord(word) })
      const known = words.get(word.term)
      if (!known || (known.isPart && !place.isPart)) words.set(word.term, queryWord(word, place))
    }
    if (run.whole !== undefined) {
      const mention = mentionAt(read.sourceStart(offset))
      const unit = mention ? unitOfDate(mention) : run.whole
      words.set(run.whole, compoundWord(run.whole, run.joined, { unit, weights }))
      if (run.words.length > 1) compounds.add(phraseKey(raw))
    } else for (const joined of run.joined) addJoined(joined, runUnit)
  })
  for (const { whole, joined, parts } of joinedNeighbours(read.text, true)) {
    const unit = unitOfNeighbours(words, parts, joined)
    if (whole === undefined) addJoined(joined, unit)
    else words.set(whole, compoundWord(whole, [joined], { unit: unit ?? whole, weights }))
  }
  for (const mention of mentions) words.set(unitOfDate(mention), dateWord(mention, syntax.text, weights))
  for (const word of syntax.prefixes.flatMap((prefix) => prefixWord(prefix, weights))) words.set(word.term, word)
  return {
    words: [...words.values()],
    phrases: syntax.phrases.flatMap(phraseOf),
    names: syntax.names.flatMap(phraseOf),
    isPhraseOnly: syntax.isPhraseOnly,
    compounds: [...compounds],
    excluded: syntax.excluded.flatMap(phraseOf),
    name: queryName(syntax.text, mentions.length > 0 ? [] : asked),
    tuning,
  }
}
