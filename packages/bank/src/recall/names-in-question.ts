import { foldWord } from '@mnemark/core/text'
import type { Entities, Entity } from '../entities/entities.ts'

/** An entity that a question names, and the characters [start, end) of its folded text that do. */
interface NamedEntity {
  readonly entity: Entity
  readonly start: number
  readonly end: number
}

/** Scripts that put no blank between words: a name may stand right beside other letters. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const LETTER = /[\p{L}\p{M}\p{N}]/u
/** Arabic particles written onto a name: and, so, in, for, like. */
const ARABIC_PARTICLES = /(?:^|[^\p{L}\p{M}\p{N}])[وف]?[بلك]?$/u
const LONGEST_PARTICLES = 3

/** The entities that a text names, in its order, and the text without their names, folded. */
export interface NamesFound {
  readonly entities: readonly Entity[]
  readonly rest: string
}

/** Which of some entities a text names. Most texts hold none of their names, and cost one look each. */
export function namedOf(text: string, asked: readonly Entity[], entities: Entities): readonly Entity[] {
  const folded = comparable(text)
  const mayBe = asked.some((entity) => comparableKeys(entity).some((key) => folded.includes(key)))
  return mayBe ? namesInQuestion(text, entities).entities.filter(({ key }) => asked.some((one) => one.key === key)) : []
}

/** Finds names as whole words; of overlapping ones the longest. */
export function namesInQuestion(question: string, entities: Entities): NamesFound {
  const text = comparable(question)
  const found = entities.all().flatMap((entity) => comparableKeys(entity).flatMap((key) => placesOf(key, text, entity)))
  found.sort((left, right) => right.end - right.start - (left.end - left.start) || left.start - right.start)
  const kept: NamedEntity[] = []
  for (const one of found) if (!kept.some(({ start, end }) => one.start < end && start < one.end)) kept.push(one)
  kept.sort((left, right) => left.start - right.start)
  const rest = kept.reduceRight((left, { start, end }) => `${left.slice(0, start)} ${left.slice(end)}`, text)
  return { entities: [...new Set(kept.map(({ entity }) => entity))], rest: rest.replace(/\s+/g, ' ').trim() }
}

const keys = new WeakMap<Entity, readonly string[]>()

function comparableKeys(entity: Entity): readonly string[] {
  const known = keys.get(entity) ?? entity.keys.map(comparable)
  keys.set(entity, known)
  return known
}

/** Hyphens and underscores of a name stand for blanks, in the question as in the name. */
function comparable(text: string): string {
  return foldWord(text)
    .replace(/[\s_-]+/g, ' ')
    .trim()
}

function placesOf(key: string, text: string, entity: Entity): readonly NamedEntity[] {
  const places: NamedEntity[] = []
  if (key === '') return places
  for (let start = text.indexOf(key); start !== -1; start = text.indexOf(key, start + 1)) {
    const end = start + key.length
    if (beginsHere(text, start) && endsHere(text, end)) places.push({ entity, start, end })
  }
  return places
}

function beginsHere(text: string, start: number): boolean {
  const [before = '', first = ''] = [text[start - 1], text[start]]
  if (isBorder(before, first)) return true
  return /\p{Script=Arabic}/u.test(first) && ARABIC_PARTICLES.test(text.slice(Math.max(0, start - LONGEST_PARTICLES), start))
}

function endsHere(text: string, end: number): boolean {
  return isBorder(text[end - 1] ?? '', text[end] ?? '')
}

/** Whether a name may begin or end between two characters: never within a word of a script with blanks, or within a number. */
function isBorder(left: string, right: string): boolean {
  if (!LETTER.test(left) || !LETTER.test(right)) return true
  const isNumber = /\p{Nd}/u.test(left) && /\p{Nd}/u.test(right)
  return !isNumber && (UNSPACED.test(left) || UNSPACED.test(right))
}
