import type { KeywordQuery } from '../keywords/query/keyword-query.ts'

const BITS = 5
const A = 0x61
const LETTERS = 26

/** 0 to 25 for an ASCII letter in either case; greater for anything else. */
function letterAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const letter = (code | 0x20) - A
  return code < 0x80 && letter >= 0 && letter < LETTERS ? letter : LETTERS
}

/**
 * Rules out most words of a text by their letters alone. A word of the query, or another form of one, begins with the
 * same two letters or shares three letters in a row with it.
 */
export class LetterFilter {
  readonly #inARow = new Uint8Array(1 << (3 * BITS))
  readonly #first = new Uint8Array(1 << (2 * BITS))

  constructor({ words }: Pick<KeywordQuery, 'words'>) {
    for (const { term, terms, grams } of words)
      for (const known of [term, ...[...terms, ...grams].map((each) => each.term)]) this.#add(known)
    for (const { prefixes } of words) for (const { term } of prefixes) this.#addPrefix(term)
  }

  /** Whether the word at [start, end) of a text cannot match the query. False for all but words in ASCII letters. */
  rejects(text: string, start: number, end: number): boolean {
    if (end - start < 3) return false
    let [before, last] = [letterAt(text, start), letterAt(text, start + 1)]
    if (before === LETTERS || last === LETTERS || this.#first[(before << BITS) | last] === 1) return false
    for (let at = start + 2; at < end; at += 1) {
      const letter = letterAt(text, at)
      if (letter === LETTERS || this.#inARow[(((before << BITS) | last) << BITS) | letter] === 1) return false
      before = last
      last = letter
    }
    return true
  }

  #add(term: string): void {
    const letters = Array.from({ length: term.length }, (_, at) => letterAt(term, at))
    for (const [at, letter] of letters.entries()) {
      const [next = LETTERS, third = LETTERS] = letters.slice(at + 1, at + 3)
      if (letter === LETTERS || next === LETTERS) continue
      if (at === 0) this.#first[(letter << BITS) | next] = 1
      if (third !== LETTERS) this.#inARow[(((letter << BITS) | next) << BITS) | third] = 1
    }
  }

  #addPrefix(prefix: string): void {
    this.#add(prefix)
    const letter = letterAt(prefix, 0)
    if (prefix.length === 1 && letter !== LETTERS) this.#first.fill(1, letter << BITS, (letter + 1) << BITS)
  }
}
