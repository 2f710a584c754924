import { analyseRunOnce } from '../text/analyse.ts'
import { eachRun } from '../text/runs.ts'
import { stemOf } from '../text/stem.ts'
import { gramsOf, type Word } from '../text/words.ts'
import type { KeywordQuery } from '../keywords/keyword-query.ts'

/** A range of a text that answers the query; heavier ones draw the snippet. */
export interface Match {
  readonly start: number
  readonly end: number
  readonly weight: number
}

interface Wanted {
  readonly terms: ReadonlyMap<string, number>
  readonly prefixes: readonly string[]
  /** Gram sets of the query's words, for other forms of them. */
  readonly forms: readonly { readonly grams: ReadonlySet<string>; readonly weight: number }[]
}

const STOP_WEIGHT = 0.05
const WORD_WEIGHT = 1
const COMPOUND_WEIGHT = 3
const FORM_WEIGHT = 0.6
/** Share of a query word's grams from which a word counts as another form of it. */
const FORM_SHARE = 0.5

function wantedBy(query: KeywordQuery): Wanted {
  const terms = new Map<string, number>()
  const forms: { grams: ReadonlySet<string>; weight: number }[] = []
  for (const word of query.words) {
    const weight = word.isStop ? STOP_WEIGHT : word.isCompound ? COMPOUND_WEIGHT : WORD_WEIGHT
    for (const { term } of word.terms) terms.set(term, Math.max(terms.get(term) ?? 0, weight))
    if (!word.isStop && word.grams.length > 0)
      forms.push({ grams: new Set(word.grams.map(({ term }) => term)), weight: FORM_WEIGHT })
  }
  return { terms, prefixes: query.words.flatMap((word) => word.prefixes.map(({ term }) => term)), forms }
}

function weightOf(word: Word, wanted: Wanted): number {
  const stem = stemOf(word, undefined)
  const exact = [word.term, ...word.variants, ...(stem === undefined ? [] : [stem])].map((term) => wanted.terms.get(term) ?? 0)
  const isPrefixed = wanted.prefixes.some((prefix) => word.term.startsWith(prefix))
  const best = Math.max(isPrefixed ? WORD_WEIGHT : 0, ...exact)
  if (best > 0 || word.script === 'han') return best
  const forms = wanted.forms.filter(
    ({ grams }) => gramsOf(word).filter((gram) => grams.has(gram)).length >= FORM_SHARE * grams.size,
  )
  return Math.max(0, ...forms.map(({ weight }) => weight))
}

/** Han has no spaces, so a query's bigrams are looked for in the text itself. */
function bigramMatches(text: string, wanted: Wanted): Match[] {
  const matches: Match[] = []
  const bigrams = new Set(
    wanted.forms.flatMap(({ grams }) =>
      [...grams].filter((gram) => /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]{2}$/u.test(gram)),
    ),
  )
  for (const bigram of bigrams) {
    for (let at = text.indexOf(bigram); at >= 0; at = text.indexOf(bigram, at + 1))
      matches.push({ start: at, end: at + bigram.length, weight: FORM_WEIGHT })
  }
  return matches
}

/** Places of a text that answer the query, as it stands and in other forms, by the analysis that indexed it. */
export function highlightMatches(text: string, query: KeywordQuery): readonly Match[] {
  const wanted = wantedBy(query)
  const matches = bigramMatches(text, wanted)
  eachRun(text, (raw, offset) => {
    const run = analyseRunOnce(raw)
    const whole = run.whole === undefined ? 0 : (wanted.terms.get(run.whole) ?? 0)
    if (whole > 0) {
      matches.push({ start: offset, end: offset + raw.length, weight: whole })
      return
    }
    for (const word of run.words) {
      const weight = weightOf(word, wanted)
      if (weight > 0) matches.push({ start: offset + word.start, end: offset + word.end, weight })
    }
  })
  // Function words alone are no reason to light up a text.
  const hasContent = matches.some(({ weight }) => weight > STOP_WEIGHT)
  return hasContent ? matches.filter(({ weight }) => weight > STOP_WEIGHT) : matches
}
