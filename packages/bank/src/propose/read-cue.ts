import { isStopWord } from '@mnemark/core/text'
import type { FactKind } from '../retain/fact.ts'
import {
  type Cue,
  DAY_WORDS,
  MAY,
  PRONOUNS,
  type ProposalReason,
  SPACED_CUES,
  UNSPACED_CUES,
  UNSPACED_PRONOUNS,
  UNSPACED_UNSURE,
  UNSURE,
} from './cue-words.ts'

/** The words of a statement that say something worth keeping. */
export interface ReadCue {
  readonly why: ProposalReason
  readonly kind: FactKind
  /** The name that it begins with, directly before the cue. */
  readonly subject?: string
  /** Where the rest begins after that name. */
  readonly restAt: number
}

const NOT_BEFORE = '(?<![\\p{L}\\p{M}\\p{N}])'
const NOT_AFTER = '(?![\\p{L}\\p{M}])'
const HAN = /\p{Script=Han}/u
/** Words between a subject and its verb. */
const BETWEEN =
  /^(?:(?:does not|doesn['’]t|do not|don['’]t|did not|didn['’]t|is|has|have|had|will|never|und|and|always|no longer|not|now|also|really|still|just|recently|finally|nicht|nie|nun|jetzt|no|ya no|nunca|siempre|ne|n['’]|لا|لم|لن|لم يعد|لم تعد|قد|هم|نیز)\s*)*$/iu
const NAME =
  /^(?<name>@?"[^"]{1,60}"|\[\[[^\]]{1,80}\]\]|@[\p{L}\p{M}\p{N}_.'’-]{1,60}|\p{Lu}[\p{L}\p{M}\p{N}'’_-]{0,40}(?: (?:(?:von|van|de|da|al|el|bin|ibn) )?\p{Lu}[\p{L}\p{M}\p{N}'’_-]{0,40}){0,3})(?=[\s,،]|$)/u
const FIRST_PERSON = /^(?:i|we|ich|wir|yo|nosotros|je|j['’]|nous|on|أنا|نحن|من|ما|我|我们|我們)(?![\p{L}\p{M}])/iu

const spaced = Object.entries(SPACED_CUES).flatMap(([language, cues]) =>
  cues.map((cue) => ({ ...compiled(cue, true), language })),
)
const unspaced = UNSPACED_CUES.map((cue) => compiled(cue, false))
const unsure = new RegExp(`${NOT_BEFORE}(?:${UNSURE.join('|')})${NOT_AFTER}`, 'iu')
const pronoun = new RegExp(`^(?:${PRONOUNS.join('|')})${NOT_AFTER}`, 'iu')
const anyPronoun = new RegExp(`${NOT_BEFORE}(?:${PRONOUNS.join('|')})${NOT_AFTER}`, 'iu')
const POINTS_AT =
  /^\s*(?:this|that|these|those|it|them|him|her|ça|cela|eso|esto|das|dies\p{L}*|这|那|هذا|هذه|ذلك|تلك|این|آن)(?![\p{Ll}])/iu

function compiled(cue: Cue, isSpaced: boolean): Cue & { readonly pattern: RegExp } {
  const words = cue.words.join('|')
  return {
    ...cue,
    pattern: isSpaced ? new RegExp(`${NOT_BEFORE}(?:${words})${NOT_AFTER}`, 'iu') : new RegExp(`(?:${words})`, 'u'),
  }
}

/**
 * Reads whether a statement says a preference, a decision, a state or an event. Undefined where it says none, asks, doubts, or is about nobody
 * who is named: no proposal is better than a wrong one. `names` are known ones.
 */
export function readCue(text: string, names: readonly string[] = []): ReadCue | undefined {
  if (isQuestion(text) || isDoubted(text)) return undefined
  const isHan = HAN.test(text)
  if (isHan ? UNSPACED_PRONOUNS.test(text) : pronoun.test(text)) return undefined
  for (const { why, kind, needsName, pattern } of isHan ? unspaced : spaced) {
    const match = pattern.exec(text)
    if (match === null || !saysWhat(text, match)) continue
    const before = text.slice(0, match.index)
    const subject = subjectOf(before, names)
    const isEnough = needsName !== 'known' || names.includes(subject?.subject ?? '') || (subject?.subject.includes(' ') ?? false)
    if (subject !== undefined && isEnough) return { why, kind, ...subject }
    const isNamed = names.some((name) => before.includes(name))
    if (!isNamed && (needsName !== undefined || !isOwn(before))) continue
    return { why, kind, restAt: 0 }
  }
  return undefined
}

export function isDoubted(text: string): boolean {
  return unsure.test(text) || MAY.test(text) || UNSPACED_UNSURE.test(text) || text.includes('~~')
}

function isQuestion(text: string): boolean {
  return /[?？؟]\s*["'”’)]*$/u.test(text)
}

/** Something must follow a cue, or stand before one at the end as in Persian: "she loves it" says nothing. */
function saysWhat(text: string, { index, 0: cue }: RegExpExecArray): boolean {
  const rest = `${text.slice(0, index)} ${text.slice(index + cue.length)}`
  const behind = text.slice(index + cue.length)
  if (POINTS_AT.test(behind)) return false
  if (HAN.test(text)) return (behind.match(/(?![了的吧啊呢过])\p{Script=Han}|[a-z\p{N}]+/giu) ?? []).length >= 1
  // Verbs at the end: "haben uns für Postgres entschieden", "قهوه دوست ندارد".
  if (/^[\s.,;:!]*$/u.test(behind)) return isArabicScript(text) ? contentWords(rest).length >= 1 : contentWords(cue).length >= 3
  return contentWords(behind).length >= 1
}

function contentWords(text: string): readonly string[] {
  return (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter(
    (word) => word.length > 1 && !isStopWord(word.toLowerCase(), 'en') && !EMPTY.test(word),
  )
}
/** Words that name nothing by themselves. */
const EMPTY = /^(?:it|that|this|them|him|her|you|me|us|so|too|very|much|really|lot|well|here|there|thing|things|one)$/iu

/** A name directly before the cue, but for words such as "no longer". */
function subjectOf(before: string, names: readonly string[]): { readonly subject: string; readonly restAt: number } | undefined {
  const known = names.filter((name) => before.startsWith(name)).toSorted((left, right) => right.length - left.length)[0]
  const name = known ?? NAME.exec(before)?.groups?.['name']
  if (name === undefined || !BETWEEN.test(before.slice(name.length).trimStart())) return undefined
  const restAt = before.length - before.slice(name.length).trimStart().length
  if (name === known) return { subject: name, restAt }
  if (name.startsWith('"') || name.startsWith('@') || name.startsWith('[['))
    return { subject: name.replace(/^@|^"|"$/gu, ''), restAt }
  const isNoName = name
    .split(' ')
    .some((word) => FIRST_PERSON.test(word) || isStopWord(word.toLowerCase(), 'en') || /['’](?:ve|m|re|ll|s)$/u.test(word))
  if (isNoName || pronoun.test(name) || DAY_WORDS.test(name)) return undefined
  return { subject: name, restAt }
}

/** Said of oneself, or with the subject left out as in a log: "does not use vim". */
function isOwn(before: string): boolean {
  const start = before.trim()
  if (HAN.test(start)) return !/[他她它你您谁]|自己$/u.test(start)
  if (start === '' || BETWEEN.test(`${start} `) || isArabicScript(start)) return true
  return FIRST_PERSON.test(start) && !anyPronoun.test(start)
}

/** In Arabic and Persian the subject is read off the names that are known. */
function isArabicScript(text: string): boolean {
  return /[\u0600-\u06FF]/u.test(text)
}
