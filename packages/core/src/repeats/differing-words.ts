import { plainLines } from './plain-lines.ts'

/** Most differing places that can be shown. */
const MOST_PLACES = 5
/** Most words searched for the place where two texts meet again. */
const REACH = 24
/** Words in a row that must be equal there. */
const MEETING = 2
/** Scripts without gaps between words are compared by letter. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
const WORD = new RegExp(String.raw`[${UNSPACED}]|[^\s${UNSPACED}]+`, 'gu')

interface Words {
  readonly text: string
  readonly folded: readonly string[]
  readonly starts: readonly number[]
}

/** The words of each of two texts at every place where they differ, in order. */
export interface Differences {
  readonly left: readonly string[]
  readonly right: readonly string[]
}

function wordsOf(text: string): Words {
  const plain = plainLines(text)
  const matches = [...plain.matchAll(WORD)]
  return { text: plain, folded: matches.map(([word]) => word.toLowerCase()), starts: matches.map(({ index }) => index) }
}

/** Undefined where they differ in more places than can be shown, or too much in one. */
export function differingWords(left: string, right: string): Differences | undefined {
  const [one, other] = [wordsOf(left), wordsOf(right)]
  const differences = { left: [] as string[], right: [] as string[] }
  let [at, beside] = [0, 0]
  while (at < one.folded.length || beside < other.folded.length) {
    if (at < one.folded.length && one.folded[at] === other.folded[beside]) {
      at += 1
      beside += 1
      continue
    }
    const met = meeting(one.folded, other.folded, at, beside)
    if (met === undefined || differences.left.length === MOST_PLACES) return undefined
    differences.left.push(shown(one, at, met[0]))
    differences.right.push(shown(other, beside, met[1]))
    ;[at, beside] = met
  }
  return differences
}

/** Positions where both texts are equal again, with the fewest skipped words. */
function meeting(left: readonly string[], right: readonly string[], at: number, beside: number): [number, number] | undefined {
  for (let passed = 1; passed <= 2 * REACH; passed += 1) {
    for (let step = Math.max(0, passed - REACH); step <= Math.min(passed, REACH); step += 1) {
      const [one, other] = [at + step, beside + passed - step]
      if (one > left.length || other > right.length) continue
      if (meets(left, right, one, other)) return [one, other]
    }
  }
  return undefined
}

function meets(left: readonly string[], right: readonly string[], one: number, other: number): boolean {
  if (one === left.length || other === right.length) return one === left.length && other === right.length
  for (let step = 0; step < MEETING; step += 1) if (left[one + step] !== right[other + step]) return false
  return true
}

/** The differing text. Where a text has nothing, the words on both sides show the gap. */
function shown({ text, starts }: Words, from: number, to: number): string {
  const [first, end] = from === to ? [Math.max(0, from - 1), Math.min(starts.length, to + 1)] : [from, to]
  return text.slice(starts[first] ?? text.length, starts[end] ?? text.length).trim()
}
