import { LETTER } from '../forms/date-matcher.ts'
import { foldQuery } from '../forms/folded-query.ts'

/** How words bind a period: "since March", "until Friday". `in` is the period itself. */
export type TimeRelation = 'in' | 'since' | 'until' | 'before' | 'after' | 'around'

/** Neither letter nor digit before; Arabic writes "and" onto the word. */
export const WORD_START: string = `(?<![0-9_${LETTER}])`
export const WORD_END: string = `(?![0-9_${LETTER}])`

/** Words between a binding word and what it binds: articles, "the year", "the month of". */
export const ARTICLES: string = folded(
  "(?:(?:the|year|month of|dem|den|der|das|jahr|jahre|monat|el|la|los|las|año|mes de|le|les|mois de|année|l'année|an|l'an|عام|عامي|سنة|سنتي|شهر|يوم|سال|ماه|روز) |l'|d'){0,2}",
)

/** Words that end before a period, each with its language's own boundary. */
const LEADS: Readonly<Record<TimeRelation, string>> = {
  since:
    'since|starting|starting from|starting in|beginning in|seit|ab|desde|a partir de|a partir del|depuis|à partir de|à partir du|منذ|ابتداء من|اعتبارا من',
  until:
    "until|till|up to|no later than|bis|bis zum|bis einschließlich|hasta|jusqu'à|jusqu'au|jusqu'en|jusque|حتى|حتى نهاية|لغاية|تا",
  before: 'before|prior to|vor|antes de|antes del|avant|قبل|قبل از|پیش از',
  after: 'after|nach|después de|después del|tras|après|بعد|بعد از|پس از',
  around:
    'around|circa|ca\\.?|approximately|um|gegen|etwa|alrededor de|alrededor del|hacia|vers|autour de|autour du|aux alentours de|aux alentours du|environ|حوالي|نحو|قرابة|حدود',
  in: 'in|during|im|en|em|durante|pendant|während|در|سال|عام|سنة|jahr|jahre|año|année',
}
const HAN_LEADS: Readonly<Partial<Record<TimeRelation, string>>> = {
  since: '自从|自從|自',
  until: '截至|截止到?|直到|直至',
  around: '大约|大約|约|約',
}
const HAN_SUFFIXES: Readonly<Partial<Record<TimeRelation, string>>> = {
  around: '前后|前後|左右',
  since: '以来|以來|起|开始|開始|至今',
  before: '之前|以前|前(?![往面后後])',
  after: '之后|之後|以后|以後|后|後',
  until: '为止|為止|止',
}
/** Words before and behind a period that together leave its end open: "from March on". */
const OPEN_PAIRS: readonly (readonly [lead: string, suffix: string])[] = [
  ['from|starting', 'on|onwards?|forward'],
  ['von|ab', 'an'],
  ['de|del|desde', 'en adelante'],
  ['از', 'به بعد|تاکنون|تا کنون'],
  ['من', 'فصاعدا'],
]

/** Words before the first of two periods. */
const FROM = 'from|since|starting|vom|von|ab|seit|del|de|desde|du|depuis|من|منذ|از'
const BETWEEN = 'between|zwischen|entre|بين|بین'
/** Words between two periods; those of AND need a word of BETWEEN before. */
const TO = "to|through|thru|until|till|up to|bis|bis zum|al|a|hasta|au|aux|à|jusqu'au|jusqu'à|jusqu'en|إلى|حتى|تا"
const AND = 'and|und|y|e|et|و'
const DASH = '[-\u2010\u2013\u2014~\u301c]'

const pattern = (source: string) => new RegExp(folded(source), 'u')

/** A word of time before a period: its meaning, and its length with the articles behind it. */
export interface Lead {
  readonly relation: TimeRelation
  readonly length: number
  readonly words: string
}

const RELATIONS: readonly TimeRelation[] = ['since', 'until', 'before', 'after', 'around', 'in']
const leads = RELATIONS.map((relation) => [relation, leadPattern(LEADS[relation], HAN_LEADS[relation])] as const)
const suffixes = RELATIONS.flatMap((relation) => {
  const words = HAN_SUFFIXES[relation]
  return words === undefined ? [] : [[relation, pattern(`^(?:${words})`)] as const]
})
const openPairs = OPEN_PAIRS.map(([lead, suffix]) => [leadPattern(lead), pattern(`^ (?:${suffix})${WORD_END}`)] as const)
const fromLead = leadPattern(FROM, '从|從|自|由')
const betweenLead = leadPattern(BETWEEN, '在')
const toBetween = new RegExp(`^(?: ?${DASH} ?| (?:${folded(TO)}) ${ARTICLES}|至|到)$`, 'u')
const andBetween = new RegExp(`^(?: (?:${folded(AND)}) ${ARTICLES}| و| |和|与|與)$`, 'u')
const dayBefore = new RegExp(
  `${WORD_START}(?<!\\d[.,:/-])(?<day>\\d{1,2})(?:\\.|er|re|e|o|º|st|nd|rd|th)?(?<to>(?: ?${DASH} ?| (?:${folded(TO)}) ${ARTICLES})|(?<and> (?:${folded(AND)}) ?${ARTICLES}))$`,
  'u',
)
const dayAfter = new RegExp(`^(?:日|号|號)?(?:至|到|${DASH})(?<day>\\d{1,2})(?:日|号|號)`, 'u')

const yearBehind = new RegExp(
  `^(?:'s)?(?:[ ,/-]| ?[/-] ?|, )?(?:(?:of|in|des|der|del|de|du|من|في|ل|من ال) ){0,1}(?:de l'|d'|l'|لعام |${ARTICLES})$`,
  'u',
)
const yearAhead = /^(?:'s)?(?: |-|\/|的|年的?|年 )?$/u
const amount = new RegExp(
  `^(?: ?[%€$£¥₹]| (?:euros?|eur|usd|dollars?|people|words|km|kg|personen|personas|personnes)${WORD_END})`,
  'u',
)
/** A year of which no month is read here: "October 1803". */
const earlyYear = new RegExp(
  `^\\.?(?: ?[,،、])? ?(?:(?:of|de|del|du|des) |${folded('(?:من )?(?:عام|سنة|سال) ')})?(?:1[0-8]\\d{2})(?!\\d|[.,:]\\d)`,
  'u',
)
const partitive = /^ (?:of|de|del|des|du|der|من|از) /u
const pronoun = new RegExp(`^ (?:i|we|you|he|she|it|they)${WORD_END}`, 'u')
const unitBefore = new RegExp(
  `${WORD_START}(?:${folded('days?|weeks?|months?|years?|night|morning|evening|tage?n?|wochen?|monate?n?|jahre?n?|días?|semanas?|mes|meses|años?|jours?|semaines?|mois|ans?|يوم|أيام|يومين|أسبوع|شهر|سنة|روز|هفته|ماه|سال')}) $`,
  'u',
)
/** Longest words of time before a period. */
const REACH = 40

function leadPattern(words: string, han?: string): RegExp {
  const spaced = `${WORD_START}و?(?:${byLength(folded(words))}) ?(?<=[ '])${ARTICLES}`
  return new RegExp(`(?:${spaced}${han === undefined ? '' : `|(?:${han}) ?`})$`, 'u')
}

/** The word of time at the end of a text. */
export function leadIn(before: string): Lead | undefined {
  for (const [relation, lead] of leads) {
    const match = lead.exec(before)
    if (match !== null) return { relation, length: match[0].length, words: match[0] }
  }
  return undefined
}

/** The word of time with which a text begins, as Chinese has it behind the period. */
export function suffixIn(after: string): Omit<Lead, 'words'> | undefined {
  for (const [relation, suffix] of suffixes) {
    const match = suffix.exec(after)
    if (match !== null) return { relation, length: match[0].length }
  }
  return undefined
}

/** Lengths of "from" and "on" around a period that has no end; undefined where there is nothing of the kind. */
export function openPairAround(ahead: string, behind: string): { readonly lead: number; readonly suffix: number } | undefined {
  for (const [lead, suffix] of openPairs) {
    const [before, after] = [lead.exec(ahead), suffix.exec(behind)]
    if (before !== null && after !== null) return { lead: before[0].length, suffix: after[0].length }
  }
  return undefined
}

/** Length of "from" at the end of a text, or of "between"; 0 where there is none. */
export function rangeLeadIn(before: string, kind: 'from' | 'between'): number {
  return (kind === 'from' ? fromLead : betweenLead).exec(before)?.[0].length ?? 0
}

/** Whether the text between two periods makes them a range, and of which kind. */
export function joinOf(between: string): 'to' | 'and' | undefined {
  if (toBetween.test(between)) return 'to'
  return andBetween.test(between) ? 'and' : undefined
}

/** The number of a first day before "to": of "3 to 5 March" the 3. */
export function firstDayIn(
  before: string,
): { readonly day: number; readonly length: number; readonly isAnd: boolean } | undefined {
  const match = dayBefore.exec(before)
  if (match?.groups?.day === undefined) return undefined
  return { day: Number(match.groups.day), length: match[0].length, isAnd: match.groups.and !== undefined }
}

/** The number of a last day after a Chinese date: of 3月3日至7日 the 7. */
export function lastDayIn(after: string): { readonly day: number; readonly length: number } | undefined {
  const match = dayAfter.exec(after)
  return match?.groups?.day === undefined ? undefined : { day: Number(match.groups.day), length: match[0].length }
}

/** The text before a place, as far as words of time reach and no further than a given place. */
export function before(text: string, from: number, at: number): string {
  return text.slice(Math.max(from, at - REACH), at)
}

/** Whether the text between a part of a year or month and what it is a part of joins them. */
export function linksToYear(between: string, isBehind: boolean): boolean {
  return isBehind ? yearBehind.test(between) : yearAhead.test(between)
}

/** Whether a text begins with what makes the number before it an amount. */
export function isAmount(after: string): boolean {
  return amount.test(after)
}

/** Whether words around a period without a year name one that is not read: 1803年10月, "October 1803". */
export function hasOtherYear(ahead: string, behind: string): boolean {
  return /年 ?$/u.test(ahead) || earlyYear.test(behind)
}

/** Whether a text begins with "of": what stands before is a part of something unread. */
export function isPartOf(after: string): boolean {
  return partitive.test(after)
}

/** Whether a text begins with what makes the `may` before it a verb. */
export function isVerb(after: string): boolean {
  return pronoun.test(after)
}

/** Whether a text ends with a unit of time, from which "before" and "after" count. */
export function isCountedFrom(words: string): boolean {
  return unitBefore.test(words)
}

export function isPersianLead(words: string): boolean {
  return /سال|در|از|تا |حدود/u.test(words)
}

export function isEnglish(words: string): boolean {
  return /since|starting|beginning|until|till|up to|later|before|prior|after|around|circa|approx/u.test(words)
}

/** Alternatives, longest first, so that "bis zum" is not read as "bis". */
export function byLength(words: string): string {
  return words
    .split('|')
    .toSorted((left, right) => right.length - left.length)
    .join('|')
}

/** A pattern in the spelling of folded text; it must hold neither capital letters nor several spaces in a row. */
export function folded(source: string): string {
  return foldQuery(source).text
}
