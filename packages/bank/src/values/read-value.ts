import { foldWord, isStopWord } from '@mnemark/core/text'
import { NOW_WORDS } from '../facts/now-words.ts'
import { holdsNegation } from '../facts/negations.ts'
import type { Slot } from '../facts/slots.ts'

/** The value that a content states for a slot; `isEnd`: that it holds no longer. */
export interface StatedValue {
  readonly slot: Slot
  readonly value: string
  readonly isEnd: boolean
}

/** The longest phrase that the content begins with decides; `name:: value` anywhere in it comes first. */
export function readValue(content: string, slots: readonly Slot[]): StatedValue | undefined {
  for (const slot of slots) {
    const value = inlineValue(content, slot.name)
    if (value !== undefined) return { slot, value, isEnd: false }
  }
  const phrases = slots
    .flatMap((slot) => slot.phrases.map((phrase) => ({ slot, phrase })))
    .toSorted((left, right) => right.phrase.length - left.phrase.length)
  for (const { slot, phrase } of phrases) {
    const split = UNSPACED.test(phrase) ? splitAtLetters(content, phrase) : splitAtWords(content, phrase)
    if (split === undefined) continue
    const value = plainValue(split.after)
    if (value !== '') return { slot, value, isEnd: holdsNegation(split.before) }
  }
  return undefined
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const MOST_BEFORE = 4
/** Words of a negation and its subject: "she no longer". */
const MOST_NEGATING = 3
const MOST_LETTERS_BEFORE = 6

function inlineValue(content: string, name: string): string | undefined {
  const wanted = foldWord(name)
  for (let at = content.indexOf('::'); at !== -1; at = content.indexOf('::', at + 2)) {
    const key = /[^\s:()[\]（）]{1,64}$/u.exec(content.slice(0, at).slice(-LONGEST_KEY).trimEnd())?.[0]
    if (key === undefined || foldWord(key) !== wanted) continue
    const value = plainValue(beforeNextKey(content.slice(at + 2, at + 2 + LONGEST_VALUE)))
    if (value !== '') return value
  }
  return undefined
}

const LONGEST_KEY = 66
const LONGEST_VALUE = 500

/** A value ends at a closing bracket, or before the next `key::`. */
function beforeNextKey(text: string): string {
  const [inBrackets = ''] = text.split(/[\])）]/u, 1)
  const next = inBrackets.indexOf('::')
  return next === -1 ? inBrackets : inBrackets.slice(0, inBrackets.slice(0, next).trimEnd().lastIndexOf(' ') + 1)
}

interface Split {
  readonly before: string
  readonly after: string
}

function splitAtWords(content: string, phrase: string): Split | undefined {
  const words = content.trim().split(/\s+/)
  const folded = words.map((word) => foldWord(word.replace(/(?<![,.;:،])[,.;:،]+$/u, '')))
  const wanted = phrase.trim().split(/\s+/).map(foldWord)
  for (let at = 0; at <= Math.min(MOST_BEFORE, words.length - wanted.length); at += 1) {
    if (!wanted.every((word, next) => folded[at + next] === word)) continue
    const before = words.slice(0, at)
    const isPlain = before.every(isFiller) || (before.length <= MOST_NEGATING && holdsNegation(before.join(' ')))
    return isPlain ? { before: before.join(' '), after: words.slice(at + wanted.length).join(' ') } : undefined
  }
  return undefined
}

function isFiller(word: string): boolean {
  const folded = foldWord(word)
  return NOW_WORDS.has(folded) || isStopWord(folded, 'en') || isStopWord(folded, undefined)
}

function splitAtLetters(content: string, phrase: string): Split | undefined {
  const text = content.normalize('NFKC').trim()
  const at = text.indexOf(phrase.normalize('NFKC').trim())
  if (at < 0 || at > MOST_LETTERS_BEFORE) return undefined
  return { before: text.slice(0, at), after: text.slice(at + phrase.normalize('NFKC').trim().length) }
}

function plainValue(text: string): string {
  return text.replace(/^[\s:：=]+/u, '').replace(/(?<![\s.。,،;；!！])[\s.。,،;；!！]+$/u, '')
}
