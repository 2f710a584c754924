import { sha256 } from '@mnemark/spec'
import { foldWord } from '@mnemark/core/text'
import type { Fact } from './fact.ts'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const ID_LENGTH = 10
const LETTERS = { world: 'W', experience: 'B', opinion: 'O', observation: 'S' } as const

/** The members that decide the id of a fact: not its place, its confidence, its sources or its relations. */
export type Identity = Pick<Fact, 'kind' | 'entities' | 'content' | 'days' | 'clock' | 'state'>

/**
 * The id of a fact, ten characters of base32. Equal for the same kind, days, names (in any order), clock and words;
 * letter case, marks, width and punctuation do not count, signs beside digits do (5.5 and 55 differ).
 */
export function factId(fact: Identity): string {
  const names = [...new Set(fact.entities.map(({ key }) => key))].sort()
  const days = fact.days === undefined ? '' : `${fact.days.from}..${fact.days.isOpen ? '' : (fact.days.to ?? fact.days.from)}`
  const letter = fact.state === 'forget' ? 'F' : LETTERS[fact.kind]
  const digest = sha256(JSON.stringify([letter, days, names, fact.clock ?? '', contentKey(fact.content)]))
  let bits = BigInt(`0x${digest.slice(0, 16)}`) >> 14n
  let id = ''
  for (let count = 0; count < ID_LENGTH; count += 1) {
    id = `${ALPHABET[Number(bits & 31n)]}${id}`
    bits >>= 5n
  }
  return id
}

const BETWEEN_LETTERS = /(?<=\p{L})['’](?=\p{L})/gu
/** Punctuation that no digit stands beside, and signs that only mark text up. */
const SIGNS = /(?<!\p{Nd})[\p{P}`|^~](?!\p{Nd})|(?<=\p{Nd})[\p{P}`|^~](?!\p{Nd})(?![%‰])|(?<!\p{Nd})[\p{P}`|^~](?=\p{Nd})/gu
/** Signs that change what a number or a name is: a sign before it, a unit behind it, `C++`, `C#`. */
const KEPT_BEFORE = /^[-−–#]$/
const KEPT_AFTER = /^[%‰]$/

/** A text in the form in which statements are compared. */
export function contentKey(content: string): string {
  const folded = foldWord(content.normalize('NFKC')).replace(BETWEEN_LETTERS, '')
  const plain = folded.replace(SIGNS, (sign, at: number) => (isKept(folded, sign, at) ? sign : ' '))
  return plain.replace(/\s+/g, ' ').trim()
}

function isKept(text: string, sign: string, at: number): boolean {
  const before = text[at - 1] ?? ' '
  const after = text[at + sign.length] ?? ' '
  if (KEPT_AFTER.test(sign)) return /\p{Nd}/u.test(before)
  if (sign === '#' && /[\p{L}#]/u.test(before)) return !/[\p{L}\p{N}]/u.test(after)
  return KEPT_BEFORE.test(sign) && /\p{Nd}/u.test(after) && !/[\p{L}\p{N}]/u.test(before)
}
