import { eachRun } from './runs.ts'
import { dictionaryVersion } from './segment-words.ts'
import { readText } from './letters/read-text.ts'
import { looseStemsOf, stemsOf } from './stems/stem.ts'
import { guessLatinLanguage, hasNoGrams, type LatinLanguage } from './stems/stop-words.ts'
import { analyseRun, gramsOf, isPlainWord, type Run, type Word } from './words.ts'

/** Part of the recipe; raise it whenever the same text would give other terms, so that documents are analysed again. */
const VERSION = 4

/** Names everything that decides the terms of a text. */
export function analysisVersion(): string {
  return `${VERSION}/icu-${dictionaryVersion()}`
}

/** Characters from which a language is guessed. */
const LANGUAGE_SAMPLE = 400
const MAX_CACHED_RUNS = 20_000
const cache = new Map<string, Run>()

/** Whether a run is worth caching: words recur, long compounds and clauses of unspaced Han do not. */
export function comesAgain(run: string): boolean {
  const first = run.charCodeAt(0)
  return run.length <= (first >= 0x2e80 && first <= 0x9fff ? 4 : 48)
}

/** Engines copy shorter substrings; longer ones may be views. */
const MAY_BE_A_VIEW = 13

/** A copy of the letters: a cached view would keep the whole file in memory. */
function detached(run: string): string {
  if (run.length < MAY_BE_A_VIEW) return run
  const codes = Array.from({ length: run.length }, (_, at) => run.charCodeAt(at))
  return String.fromCharCode(...codes)
}

/** `analyseRun` with a bounded cache: words recur, so most runs of a text are known. */
export function analyseRunOnce(run: string): Run {
  if (isPlainWord(run) || !comesAgain(run)) return analyseRun(run)
  const known = cache.get(run)
  if (known) return known
  if (cache.size >= MAX_CACHED_RUNS) cache.clear()
  const own = detached(run)
  const analysed = analyseRun(own)
  cache.set(own, analysed)
  return analysed
}

/** Exact terms of a run: its words, their variants, the whole compound. */
export function exactTerms(run: Run): readonly string[] {
  const terms: string[] = []
  for (const { term, variants } of run.words) {
    terms.push(term)
    for (const variant of variants) terms.push(variant)
  }
  if (run.whole !== undefined) terms.push(run.whole)
  return terms
}

/** Terms for other spellings of a run: shared forms, parts, the run without its signs. */
export function spellingTerms(run: Run): readonly string[] {
  const terms: string[] = []
  for (const { shared, parts } of run.words) {
    if (shared !== '') terms.push(shared)
    terms.push(...parts)
  }
  terms.push(...run.joined)
  return terms
}

export function gramTerms(run: Run): readonly string[] {
  return run.words.flatMap((word) => (hasNoGrams(word.term) ? [] : gramsOf(word)))
}

/** Stems of a run's words where they differ from them. Function words have none. */
export function stemTerms(run: Run, language: LatinLanguage | undefined): readonly string[] {
  const stems: string[] = []
  for (const word of run.words) {
    if (hasNoGrams(word.term)) continue
    for (const stem of stemsOf(word, language)) if (stem !== word.term) stems.push(stem)
    for (const stem of looseStemsOf(word)) stems.push(stem)
  }
  return stems
}

/** Language of the Latin letters in the result of `readText`, by the function words near its beginning. */
export function latinLanguageOf(text: string): LatinLanguage | undefined {
  const terms: string[] = []
  const sample = text.slice(0, LANGUAGE_SAMPLE)
  eachRun(sample, (raw) => {
    for (const { term, script } of analyseRunOnce(raw).words) if (script === 'latin') terms.push(term)
  })
  return guessLatinLanguage(sample, terms)
}

/** A word with its position in a text; offsets in UTF-16 units. */
export interface PlacedWord extends Word {
  readonly start: number
  readonly end: number
}

/** Words of a text in order. */
export function wordsOf(text: string): readonly PlacedWord[] {
  const words: PlacedWord[] = []
  const read = readText(text)
  eachRun(read.text, (raw, offset) => {
    for (const word of analyseRunOnce(raw).words)
      words.push({ ...word, start: read.sourceStart(offset + word.start), end: read.sourceEnd(offset + word.end) })
  })
  return words
}

/** All exact terms of a text, for comparing texts as sets. */
export function termSet(text: string): ReadonlySet<string> {
  const terms = new Set<string>()
  eachRun(readText(text).text, (raw) => {
    for (const term of exactTerms(analyseRunOnce(raw))) terms.add(term)
  })
  return terms
}
