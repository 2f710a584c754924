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

/** The entities that a question names, longest names first where they overlap, in the order of the question. */
export function namesInQuestion(question: string, entities: Entities): readonly Entity[] {
  const text = comparable(question)
  const found = entities.all().flatMap((entity) => entity.keys.flatMap((key) => placesOf(comparable(key), text, entity)))
  found.sort((left, right) => right.end - right.start - (left.end - left.start) || left.start - right.start)
  const kept: NamedEntity[] = []
  for (const one of found) if (!kept.some(({ start, end }) => one.start < end && start < one.end)) kept.push(one)
  kept.sort((left, right) => left.start - right.start)
  return [...new Set(kept.map(({ entity }) => entity))]
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
