import type { FactAuthor, FactDays, FactRelation, RelationVerb } from '../fact.ts'
import { normalSigns } from './normal-signs.ts'
import type { FactWarningCode } from '../problems.ts'
import { numberOf } from './read-confidence.ts'
import { isDay } from './read-marks.ts'

/** The part of a line behind the content. Lists grow from the end of the line to its beginning. */
export interface Trailers {
  days?: FactDays
  author?: FactAuthor
  stated?: { readonly confidence: number; readonly day?: string }
  blockId?: string
  readonly relations: FactRelation[]
  readonly sources: string[]
  readonly tags: string[]
  /** Trailers that could not be read; they stay in the content. */
  readonly faults: FactWarningCode[]
}

const MAX_GROUP = 2_000
const BLOCK_ID = /(?<=[ \t]|^)\^([A-Za-z0-9-]{4,64})$/
const TAG = /(?<=[ \t])#(?!\d{1,64}$)([\p{L}\p{N}_][\p{L}\p{M}\p{N}_/-]{0,63})$/u
const STOP_AFTER_GROUP = /\)[.。]$/
const DAYS = /^(on|since)[ \t]{0,3}:[ \t]{0,3}(.*)$/i
const RANGE = /^(\S{1,20}?)[ \t]{0,2}(?:\.\.|–|—)[ \t]{0,2}(\S{1,20})$/
const AUTHOR = /^by[ \t]{0,3}:[ \t]{0,3}(agent|model|person)$/i
const STATED = /^stated[ \t]{0,3}:[ \t]{0,3}([\d.,% ]{1,12}?)(?:[ \t]{1,3}on[ \t]{1,3}(\S{10}))?$/i
const RELATION = /^(confirms|contradicts|corrects|supersedes|retracts)[ \t]{0,3}:[ \t]{0,3}(.*)$/i
const SOURCE_WORD =
  /^(?:see|from|source|via|siehe|quelle|voir|ver|fuente|المصدر|انظر|见|參見|参见|来源|來源)[ \t]{0,3}:?[ \t]{1,3}(\S.*)$/iu
/** A path of a note, an address, or a link to a page. */
const REFERENCE =
  /^(?:[^\s()]{1,300}\.(?:md|markdown)(?:(?:#L?|:)\d{1,9}(?:-L?\d{1,9})?)?|[a-z][a-z0-9+.-]{1,20}:\/\/\S{1,1000}|\[\[[^\]\n]{1,300}\]\])$/i
const QUOTED = /^(?:"([^"]+)"|“([^”]+)”|«([^»]+)»|「([^」]+)」)$/

export function noTrailers(): Trailers {
  return { relations: [], sources: [], tags: [], faults: [] }
}

/** Takes trailers off the end of a text until something else stands there; returns the rest. */
export function takeTrailers(text: string, taken: Trailers): string {
  let rest = text.trimEnd()
  for (;;) {
    const shorter = withoutLast(rest, taken)
    if (shorter === undefined) return rest
    rest = shorter.trimEnd()
  }
}

function withoutLast(text: string, taken: Trailers): string | undefined {
  if (taken.blockId === undefined) {
    const found = BLOCK_ID.exec(text.slice(-80))
    if (found !== null) {
      taken.blockId = found[1] ?? ''
      return text.slice(0, text.length - found[0].length)
    }
  }
  const tag = TAG.exec(text.slice(-80))
  if (tag !== null) {
    taken.tags.push(tag[1] ?? '')
    return text.slice(0, text.length - tag[0].length)
  }
  const end = STOP_AFTER_GROUP.test(normalSigns(text.slice(-2))) ? text.length - 1 : text.length
  const open = openingOf(text, end)
  if (open === undefined || !takeGroup(text.slice(open + 1, end - 1).trim(), taken)) return undefined
  return text.slice(0, open)
}

/** Where the bracket that closes right before `end` opens. */
function openingOf(text: string, end: number): number | undefined {
  let depth = 0
  for (let at = end - 1; at >= 0 && end - at <= MAX_GROUP; at -= 1) {
    const sign = text[at]
    if (sign === ')' || sign === '）') depth += 1
    else if (sign === '(' || sign === '（') depth -= 1
    if (depth === 0) return sign === '(' || sign === '（' ? at : undefined
  }
  return undefined
}

function takeGroup(raw: string, taken: Trailers): boolean {
  const text = normalSigns(raw)
  const days = DAYS.exec(text)
  if (days !== null) return takeDays((days[1] ?? '').toLowerCase(), (days[2] ?? '').trim(), taken)
  const author = AUTHOR.exec(text)
  if (author !== null && taken.author === undefined) {
    taken.author = authorOf(author[1] ?? '')
    return true
  }
  const stated = STATED.exec(text)
  if (stated !== null) return takeStated(stated, taken)
  const relation = RELATION.exec(text)
  if (relation !== null) return takeRelation(relation, raw, taken)
  return takeSource(raw, text, taken)
}

function authorOf(word: string): FactAuthor {
  const author = word.toLowerCase()
  return author === 'agent' || author === 'model' ? author : 'person'
}

function takeDays(word: string, text: string, taken: Trailers): boolean {
  if (taken.days !== undefined) return false
  const days = word === 'since' ? daysSince(text) : daysOn(text)
  if (typeof days === 'object') taken.days = days
  else taken.faults.push(days)
  return typeof days === 'object'
}

function daysSince(text: string): FactDays | 'bad-day' {
  return isDay(text) ? { from: text, isOpen: true } : 'bad-day'
}

function daysOn(text: string): FactDays | 'bad-day' | 'range-order' {
  if (isDay(text)) return { from: text, to: text }
  const [, from = '', to = ''] = RANGE.exec(text) ?? []
  if (!isDay(from) || !isDay(to)) return 'bad-day'
  return from <= to ? { from, to } : 'range-order'
}

function takeStated(match: RegExpExecArray, taken: Trailers): boolean {
  const confidence = numberOf((match[1] ?? '').trim())
  const day = match[2]
  if (taken.stated !== undefined || confidence === undefined || (day !== undefined && !isDay(day))) return false
  taken.stated = day === undefined ? { confidence } : { confidence, day }
  return true
}

function takeRelation(match: RegExpExecArray, raw: string, taken: Trailers): boolean {
  const verb = (match[1] ?? '').toLowerCase() as RelationVerb // the pattern lists the verbs
  const target = raw.slice(raw.length - (match[2] ?? '').length).trim()
  const relation = relationTo(verb, target)
  if (relation === undefined) taken.faults.push('relation-target')
  else taken.relations.push(relation)
  return relation !== undefined
}

function relationTo(verb: RelationVerb, target: string): FactRelation | undefined {
  if (/^\^[A-Za-z0-9-]{4,64}$/.test(target)) return { verb, target: target.slice(1), by: 'id' }
  const [, ...quoted] = QUOTED.exec(target) ?? []
  const quote = quoted.find((one) => one !== undefined)?.trim()
  if (quote !== undefined && quote !== '') return { verb, target: quote, by: 'quote' }
  return REFERENCE.test(target) ? { verb, target, by: 'citation' } : undefined
}

function takeSource(raw: string, text: string, taken: Trailers): boolean {
  const named = SOURCE_WORD.exec(text)?.[1]
  const source = named === undefined ? raw : raw.slice(raw.length - named.length)
  const isSource = named === undefined ? REFERENCE.test(text) : isReferenceLike(named)
  if (isSource) taken.sources.push(source)
  return isSource
}

/** After a word such as `see`, any path will do. */
function isReferenceLike(text: string): boolean {
  return REFERENCE.test(text) || /^[^\s()]{0,300}[/.#][^\s()]{1,300}$/.test(text)
}
