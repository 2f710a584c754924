import { readDayArgument } from '@mnemark/core/dates'
import type { FactAuthor, FactDays, FactEntity, FactKind, FactRelation, PlacedFact, RelationVerb } from './fact.ts'
import type { FactProblemCode } from './problems.ts'
import { normalSigns, LineReader } from './line/normal-signs.ts'
import { numberOf } from './line/read-confidence.ts'
import { readEntity } from './line/read-entity.ts'
import { noTrailers, takeTrailers } from './line/read-trailers.ts'
import { readFacts } from './read-facts.ts'
import { entityText, KIND_LETTERS, type WritableFact, writeFact } from './write-fact.ts'

/** A fact to write, as somebody says it. What the text says by itself need not be said again, and must not be said otherwise. */
export interface FactRequest {
  /** A statement, or a whole line: `O(c=0.9) @Mara: prefers mail`. */
  readonly text: string
  /** Kind of a statement without a letter. Default `world`, or `opinion` where there is a confidence. */
  readonly kind?: FactKind | undefined
  /** Names, with or without `@`; `[[…]]` for a page. */
  readonly entities?: readonly string[] | undefined
  /** 0 to 1, or a text such as `80%`; for opinions. */
  readonly confidence?: number | string | undefined
  /** The valid day or days: any form of a day, or two with `..` between. */
  readonly on?: string | undefined
  /** The fact that this one corrects: `^id`, `path#L12` or `"quoted text"`. */
  readonly corrects?: string | undefined
  readonly retracts?: string | undefined
  /** The writer, where that is no person; takes precedence over the text. */
  readonly author?: Exclude<FactAuthor, 'person'> | undefined
}

export interface FactClock {
  /** Milliseconds since 1970, from which relative days count. */
  readonly nowMs: number
  /** IANA name. */
  readonly timeZone: string
}

/** Why no fact can be made. */
export interface FactRefusal {
  readonly code: FactProblemCode | 'several-lines' | 'comment' | 'contradiction' | 'no-fact'
  /** The problem, and what to write instead; quotes nothing from the text. */
  readonly message: string
  /** The line as it would be read. */
  readonly proposed?: string
}

/** Makes the fact that a request means, to be written by `retain`; a refusal where it could not be read as it is meant. */
export function makeFact(request: FactRequest, clock: FactClock): WritableFact | FactRefusal {
  const said = readStatement(request)
  if ('code' in said) return said
  const steps = [withKind, withConfidence, withEntities, withDays, withRelations] as const
  let fact: WritableFact = request.author === undefined ? said : { ...said, author: request.author }
  for (const step of steps) {
    const next = step(fact, request, clock)
    if ('code' in next) return next
    fact = next
  }
  return readsAs(fact) ?? fact
}

const BULLET = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+/
const BREAKS = /[\n\r\v\f\u0085\u2028\u2029]/

/** The text as a fact by itself, or with the letter that its kind gives it. */
function readStatement(request: FactRequest): WritableFact | FactRefusal {
  const text = request.text.toWellFormed().trim()
  if (BREAKS.test(text)) return refusal('several-lines', 'A fact is one line. Retain each line by itself.')
  if (text.includes('<!--')) return refusal('comment', 'A comment inside a fact is not read. Leave it out.')
  if (!/[\p{L}\p{N}]/u.test(text)) return refusal('empty-content', 'There is no text to retain.')
  const whole = readLine(BULLET.test(text) ? text : `- ${text}`)
  if (whole !== 'plain') return whole
  const statement = text.replace(BULLET, '')
  const kind = request.kind ?? (request.confidence === undefined ? 'world' : 'opinion')
  const between = /^(?:@|＠|\[\[)/.test(statement) ? ' ' : ': '
  const read = readLine(`- ${KIND_LETTERS[kind]}${between}${statement}`)
  return read === 'plain' ? refusal('no-fact', 'The text cannot be read as a fact. Begin it with its first word.') : read
}

function readLine(line: string): PlacedFact | FactRefusal | 'plain' {
  const { facts, problems, formatLines } = readFacts(`## Retain\n\n${line}\n`, { path: 'memory/fact.md' })
  const [problem] = problems.toSorted((left, right) => Number(left.severity > right.severity))
  if (problem !== undefined) {
    const { code, message, proposed } = problem
    return { code, message, ...(proposed !== undefined && { proposed: proposed.replace(BULLET, '') }) }
  }
  if (formatLines > 0)
    return refusal('no-fact', 'The text describes the form of facts and says none. Put a name and a number in.')
  return facts[0] ?? 'plain'
}

function withKind(fact: WritableFact, { kind }: FactRequest): WritableFact | FactRefusal {
  const isSame = kind === undefined || (fact.kind === kind && fact.state !== 'forget')
  return isSame ? fact : contradiction('kind')
}

function withConfidence(fact: WritableFact, { confidence }: FactRequest): WritableFact | FactRefusal {
  if (confidence === undefined) return fact
  const value = numberOf(normalSigns(String(confidence)).trim())
  if (value === undefined) return refusal('bad-confidence', 'A confidence is a number from 0 to 1 or a percentage: 0.80.')
  if (fact.kind !== 'opinion')
    return refusal('unused-confidence', 'Only an opinion has a confidence. Leave it out, or make it one.')
  if (fact.confidence !== undefined && fact.confidence !== value) return contradiction('confidence')
  return { ...fact, confidence: value }
}

function withEntities(fact: WritableFact, { entities = [] }: FactRequest): WritableFact | FactRefusal {
  if (entities.length === 0) return fact
  const named = entities.map(entityOf)
  if (named.some((entity) => entity === undefined))
    return refusal('empty-entity', 'An entity has no name that can be read. Give a name, or [[a page]].')
  const given = new Map(named.flatMap((entity) => (entity === undefined ? [] : [[entity.key, entity] as const])))
  const own = fact.entities ?? []
  if (own.length === 0) return { ...fact, entities: [...given.values()] }
  const isSame = own.length === given.size && own.every(({ key }) => given.has(key))
  return isSame ? fact : contradiction('entities')
}

function entityOf(text: string): FactEntity | undefined {
  const name = text.trim()
  const isWritten = /^(?:@["[“«「]|\[\[)/.test(name)
  const bare = name.replace(/^[@＠]/, '')
  const reader = new LineReader(isWritten ? name : entityText({ name: bare, key: bare, isLink: false }))
  const entity = readEntity(reader)
  const isWhole = entity !== null && typeof entity !== 'string' && reader.at === reader.text.length
  return isWhole ? entity : undefined
}

function withDays(fact: WritableFact, { on }: FactRequest, clock: FactClock): WritableFact | FactRefusal {
  if (on === undefined) return fact
  const [first = '', last = first, ...more] = on.split('..')
  const from = readDayArgument(first, 'first', clock)
  const to = readDayArgument(last, 'last', clock)
  if (from === undefined || to === undefined || more.length > 0)
    return refusal('bad-day', 'That is no day of the calendar. Write YYYY-MM-DD, or YYYY-MM-DD..YYYY-MM-DD.')
  if (to < from) return refusal('range-order', 'The range ends before it begins. Write its first day first.')
  if (fact.written !== undefined && !isSameDays(fact.written, { from, to })) return contradiction('days')
  return { ...fact, written: { from, to } }
}

function isSameDays(left: FactDays, right: FactDays): boolean {
  return left.from === right.from && left.to === right.to && left.isOpen !== true
}

function withRelations(fact: WritableFact, request: FactRequest): WritableFact | FactRefusal {
  const relations = [...(fact.relations ?? [])]
  for (const verb of ['corrects', 'retracts'] as const) {
    const given = request[verb]
    if (given === undefined) continue
    const relation = relationOf(verb, given)
    if (relation === undefined)
      return refusal('relation-target', `What it ${verb} is not named. Write ^id, path#L12 or "the quoted text".`)
    const own = relations.find((one) => one.verb === verb)
    if (own === undefined) relations.push(relation)
    else if (own.target !== relation.target) return contradiction('relations')
  }
  return relations.length === 0 ? fact : { ...fact, relations }
}

const FACT_ID = /^[0-9a-hjkmnp-tv-z]{10}$/

function relationOf(verb: RelationVerb, target: string): FactRelation | undefined {
  const name = target.trim()
  const trailers = noTrailers()
  takeTrailers(`(${verb}: ${FACT_ID.test(name) ? `^${name}` : name})`, trailers)
  return trailers.faults.length === 0 && trailers.relations.length === 1 ? trailers.relations[0] : undefined
}

/** Undefined where the line that is written reads as the fact that is meant. */
function readsAs(fact: WritableFact): FactRefusal | undefined {
  const line = writeFact(fact)
  const read = readLine(line)
  if (read === 'plain') return refusal('no-fact', 'The text cannot be read as a fact. Begin it with its first word.')
  if ('code' in read) return read
  if (writeFact(read) === line && read.content === fact.content) return undefined
  return refusal('no-fact', 'The text would be read otherwise when written with these options. Put them into the line itself.')
}

function contradiction(what: string): FactRefusal {
  return refusal('contradiction', `The line names other ${what} than the options. Say it once.`)
}

function refusal(code: FactRefusal['code'], message: string): FactRefusal {
  return { code, message }
}
