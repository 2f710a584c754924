import { wordsOf } from '../../text/analyse.ts'
import { eachRun } from '../../text/runs.ts'

/**
 * A parsed query: plain text, and the operators `"phrase"`, `-word`, `prefix*`. Other index syntax is text, and so is
 * all of a question.
 */
export interface QuerySyntax {
  /** Text to search, phrases included. */
  readonly text: string
  readonly phrases: readonly string[]
  /**
   * Phrases in guillemets or corner brackets, used for names in some languages: passages that hold one rank first, and
   * none has to.
   */
  readonly names: readonly string[]
  /** True where the query is phrases alone. */
  readonly isPhraseOnly: boolean
  readonly excluded: readonly string[]
  readonly prefixes: readonly string[]
}

/** Scripts without spaces around quotes, or with endings after them. */
const NO_GAPS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
const IN_WORD = String.raw`[[\p{L}\p{N}]--[${NO_GAPS}]]`
/**
 * Matches a phrase, with groups for its text and for a sign before it. Straight and curly quotes enclose words and are
 * not inside one (`צה"ל`, 5"); an unclosed quote is text.
 */
export const phraseSource: string = String.raw`(?<dash>(?<=^|\s)-)?(?<!${IN_WORD})["“”„](?<phrase>[^"“”„]+)["“”„](?!${IN_WORD})|(?<signed>(?<=^|\s)-)?(?:«(?<french>[^«»]+)»|「(?<corner>[^「」]+)」|『(?<white>[^『』]+)』)`
const PHRASE = new RegExp(phraseSource, 'gv')
/** Matches a dash before a word that is no option (`--flag`) and no number (`-5`). */
const EXCLUDED = /(?<=^|\s)-(?=\p{L})(\S+)/gu
/** Options have one or two letters (`zip -r`, `ls -la`); in scripts that write whole words in two letters, two are enough. */
const THREE_LETTERS = new RegExp(String.raw`(?:\p{L}[^\p{L}]*){3}|(?:[${NO_GAPS}][^\p{L}]*){2}`, 'v')
/**
 * A question: its dash is a hyphen (`Vor- und -nachname?`), and its quotes hold a name in any form. Greek questions end
 * with a semicolon.
 */
const QUESTION = /(?:[?？؟፧\u037e]|\p{Script=Greek}["”»]?;)\s*$/u
const PREFIX = /(?<=^|\s)([\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_./-]*)\*(?=\s|$)/gu
/**
 * With more words than this beside it, a name in guillemets or corner brackets is part of a sentence, and only its
 * words count.
 */
const MOST_BESIDE_NAME = 3

/**
 * `isFiltered`: a filter comes with the query, so there is a set to exclude from. Otherwise a sign excludes only if
 * another word has none.
 */
export function parseQuery(query: string, isFiltered = false): QuerySyntax {
  if (QUESTION.test(query)) return asText(query)
  const found = { phrases: [] as string[], names: [] as string[], signed: [] as string[], prefixes: [] as string[] }
  const rest = query.replace(PHRASE, ' ')
  const isSentence = /[«「『]/.test(query) && wordsOf(rest).length > MOST_BESIDE_NAME
  const withoutPhrases = query.replace(PHRASE, (...match) => {
    // Safe: the last argument of a replacer is the groups, where a pattern names any.
    const { dash, signed, phrase, french, corner, white } = match.at(-1) as Readonly<Record<string, string | undefined>>
    const name = french ?? corner ?? white ?? ''
    const text = phrase ?? name
    if (text.trim() === '' || (isSentence && phrase === undefined)) return ` ${text} `
    const isSigned = (dash ?? signed) !== undefined
    const list = isSigned ? found.signed : phrase === undefined ? found.names : found.phrases
    list.push(text)
    // Nothing in quotes is an operator.
    return isSigned ? ' ' : ` ${text.replaceAll(SIGN, ' ').replaceAll('*', ' ')} `
  })
  const withoutSigned = withoutPhrases.replace(EXCLUDED, (whole, word: string) => {
    if (!THREE_LETTERS.test(word)) return whole
    found.signed.push(word)
    return ' '
  })
  if (found.signed.length > 0 && !isFiltered && !HAS_WORD.test(withoutSigned))
    return parseQuery(query.replaceAll(SIGN, ' '), isFiltered)
  const text = withoutSigned.replace(PREFIX, (_, prefix: string) => {
    found.prefixes.push(prefix)
    return ' '
  })
  const { phrases, names, signed: excluded, prefixes } = found
  return {
    text,
    phrases,
    names,
    isPhraseOnly: phrases.length > 0 && names.length === 0 && !HAS_WORD.test(rest),
    excluded,
    prefixes,
  }
}

const HAS_WORD = /[\p{L}\p{N}\p{Extended_Pictographic}]/u
const SIGN = /(?<=^|\s)-(?=[\p{L}"“”„«「『])/gu

function asText(text: string): QuerySyntax {
  return { text, phrases: [], names: [], isPhraseOnly: false, excluded: [], prefixes: [] }
}

/** The query in plain words, for a model: without operators and excluded words. */
export function plainQuery(query: string): string {
  const { text, prefixes } = parseQuery(query)
  return [text, ...prefixes].join(' ').replace(/\s+/gu, ' ').trim()
}

/** True where the query has nothing to search: only blanks and signs. */
export function isBlankQuery(query: string): boolean {
  const { text, prefixes } = parseQuery(query)
  let hasRun = prefixes.length > 0
  eachRun(text, () => {
    hasRun = true
  })
  return !hasRun
}
