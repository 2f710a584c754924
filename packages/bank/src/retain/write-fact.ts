import { isRun, NAME_QUOTES } from './line/read-entity.ts'
import type { ChildKey, Fact, FactDays, FactEntity, FactKind, FactRelation } from './fact.ts'
import { normalSigns } from './line/normal-signs.ts'

/** The letters of the kinds in a note. */
export const KIND_LETTERS: Readonly<Record<FactKind, string>> = { world: 'W', experience: 'B', opinion: 'O', observation: 'S' }

/** A fact with at least what its line needs. */
export type WritableFact = Pick<Fact, 'kind' | 'content'> & Partial<Fact>

/**
 * The one form in which facts are written: `- O(c=0.80) @Mara: text (on: 2026-03-01) (see memory/2026-03-14.md) (by: agent) ^id`,
 * with its children on lines of their own. Signs are ASCII, names and words stay as they are.
 */
export function writeFact(fact: WritableFact): string {
  const head = headOf(fact)
  const struck = (fact.earlier ?? []).map((text) => `~~${text}~~ `).join('')
  const said = fact.state === 'retracted' ? `~~${head} ${fact.content}~~` : `${head} ${struck}${fact.content}`
  const clock = fact.clock === undefined ? '' : `(${fact.clock}) `
  const marks = (fact.marks ?? []).map((mark) => `[${mark}] `).join('')
  const line = ['-', `${clock}${marks}${said}`, ...trailersOf(fact)].join(' ')
  return [line, ...(fact.children ?? []).map(({ key, value }) => `  - ${titled(key)}: ${value}`)].join('\n')
}

function headOf({ kind, state, confidence, entities = [] }: WritableFact): string {
  const letter = state === 'forget' ? 'F' : KIND_LETTERS[kind]
  const number = confidence === undefined ? '' : `(c=${confidenceText(confidence)})`
  const names = entities.map((entity) => ` ${entityText(entity)}`).join('')
  return `${letter}${number}${names}:`
}

/** Two decimals, or up to four where two would be another number. */
export function confidenceText(confidence: number): string {
  const short = confidence.toFixed(2)
  return Number(short) === confidence ? short : String(Math.round(confidence * 10_000) / 10_000)
}

/** `@Mara`, `@"The Old Mill"`, `[[people/Mara|M.]]`. */
export function entityText({ name, isLink, part, label }: FactEntity): string {
  if (isLink) return `[[${name}${part === undefined ? '' : `#${part}`}${label === undefined ? '' : `|${label}`}]]`
  if (isRun(name)) return `@${name}`
  const signs = normalSigns(name)
  const [open, close] = NAME_QUOTES.find(([, end]) => !signs.includes(end)) ?? ['"', '"']
  return `@${open}${name}${close}`
}

function trailersOf(fact: WritableFact): readonly string[] {
  const { stated, author, blockId } = fact
  const statedOn = stated?.day === undefined ? '' : ` on ${stated.day}`
  return [
    ...(fact.tags ?? []).map((tag) => `#${tag}`),
    ...(fact.written === undefined ? [] : [`(${daysText(fact.written)})`]),
    ...(stated === undefined ? [] : [`(stated: ${confidenceText(stated.confidence)}${statedOn})`]),
    ...(fact.relations ?? []).map((relation) => `(${relation.verb}: ${targetText(relation)})`),
    ...(fact.sources ?? []).map((source) => `(see ${source})`),
    ...(author === undefined || author === 'person' ? [] : [`(by: ${author})`]),
    ...(blockId === undefined ? [] : [`^${blockId}`]),
  ]
}

function daysText({ from, to = from, isOpen }: FactDays): string {
  if (isOpen === true) return `since: ${from}`
  return from === to ? `on: ${from}` : `on: ${from}..${to}`
}

function targetText({ by, target }: FactRelation): string {
  if (by === 'id') return `^${target}`
  if (by === 'citation') return target
  const [open, close] = NAME_QUOTES.find(([start, end]) => start !== '[' && !target.includes(end)) ?? ['"', '"']
  return `${open}${target}${close}`
}

function titled(key: ChildKey): string {
  return key.charAt(0).toUpperCase() + key.slice(1)
}
