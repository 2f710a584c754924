import { eachRun } from '../text/runs.ts'

/** What a person typed: plain text, and the operators `"phrase"`, `-word`, `prefix*`. All other index syntax is text, and so is all of a question. */
export interface QuerySyntax {
  /** Text to look for, phrases included. */
  readonly text: string
  readonly phrases: readonly string[]
  /** True where nothing but phrases was typed. */
  readonly isPhraseOnly: boolean
  readonly excluded: readonly string[]
  readonly prefixes: readonly string[]
}

/**
 * Straight and curly quotes around words, not inside one (`צה"ל`, 5"); Han writes no spaces around them. Guillemets and corner
 * brackets are how some languages write names, so they are text.
 */
const PHRASE =
  /(-?)(?<![[\p{L}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]])["“”„]([^"“”„]+)["“”„](?![[\p{L}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]])/gv
/** A dash that begins a word and is no option (`--flag`) and no number (`-5`). */
const EXCLUDED = /(?<=^|\s)-(?=\p{L})(\S+)/gu
/** In a question a dash is a hyphen (`Vor- und -nachname?`) and quotes hold a name, whatever form the notes have it in. */
const QUESTION = /[?？؟]\s*$/u
const PREFIX = /(?<=^|\s)([\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_./-]*)\*(?=\s|$)/gu

export function parseQuery(query: string): QuerySyntax {
  if (QUESTION.test(query)) return { text: query, phrases: [], isPhraseOnly: false, excluded: [], prefixes: [] }
  const phrases: string[] = []
  const excluded: string[] = []
  const prefixes: string[] = []
  const withoutPhrases = query.replace(PHRASE, (_, dash: string, phrase: string) => {
    if (dash === '-') {
      excluded.push(phrase)
      return ' '
    }
    if (phrase.trim() !== '') phrases.push(phrase)
    return ` ${phrase} `
  })
  const text = withoutPhrases
    .replace(EXCLUDED, (_, word: string) => {
      excluded.push(word)
      return ' '
    })
    .replace(PREFIX, (_, prefix: string) => {
      prefixes.push(prefix)
      return ' '
    })
  const isPhraseOnly = phrases.length > 0 && !/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(query.replace(PHRASE, ' '))
  return { text, phrases, isPhraseOnly, excluded, prefixes }
}

/** The query in words, as a model reads it: without operators and what they exclude. */
export function plainQuery(query: string): string {
  const { text, prefixes } = parseQuery(query)
  return [text, ...prefixes].join(' ').replace(/\s+/gu, ' ').trim()
}

/** True where there is nothing to look for: blanks, signs, exclusions alone. */
export function isBlankQuery(query: string): boolean {
  const { text, prefixes } = parseQuery(query)
  let hasRun = prefixes.length > 0
  eachRun(text, () => {
    hasRun = true
  })
  return !hasRun
}
