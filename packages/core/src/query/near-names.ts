import { distance } from 'fastest-levenshtein'
import { cutText } from '../document/markdown/plain-text.ts'
import { foldWord } from '../text/letters/fold.ts'

const MOST_NEAR = 3
const MAX_SHOWN = 60
/** Least letters for a part of a name to count as near. */
const LEAST_PART = 3

/** The names most similar to `asked`, folded on both sides: few letters off, or one a part of the other. */
export function nearNames(asked: string, names: Iterable<string>): readonly string[] {
  const wanted = foldWord(asked.replace(/(?<!\/)\/+$/, ''))
  // In a name of one or two letters every letter counts: only a difference in case or accents is near.
  const bound = wanted.length < LEAST_PART ? 0 : Math.max(1, Math.floor(wanted.length / 3))
  const near: { readonly name: string; readonly edits: number }[] = []
  for (const name of new Set(names)) {
    const whole = foldWord(name.replace(/(?<!\/)\/+$/, ''))
    const last = whole.slice(whole.lastIndexOf('/') + 1)
    const forms = [whole, last, withoutEnding(whole), withoutEnding(last)]
    const edits = Math.min(...forms.map((form) => editsTo(wanted, form, bound)))
    if (edits <= bound) near.push({ name, edits })
  }
  // Among equals, a folder comes first for a folder, and a file for a file.
  const isOther = ({ name }: { readonly name: string }): number => Number(name.endsWith('/') !== asked.endsWith('/'))
  near.sort((left, right) => left.edits - right.edits || isOther(left) - isOther(right) || (left.name < right.name ? -1 : 1))
  // If a name is one letter off, names that only share a part are no candidates.
  const most = (near[0]?.edits ?? 0) + 1
  return near
    .filter(({ edits }) => edits <= most)
    .slice(0, MOST_NEAR)
    .map(({ name }) => name)
}

function withoutEnding(path: string): string {
  return path.replace(/\.\w{1,8}$/, '')
}

/** Above the bound where the names have nothing in common; a shared part counts as much as the bound. */
function editsTo(wanted: string, name: string, bound: number): number {
  const [short, long] = wanted.length < name.length ? [wanted, name] : [name, wanted]
  if (short.length >= LEAST_PART && long.includes(short)) return wanted === name ? 0 : bound
  // The difference in length is the least number of edits.
  return long.length - short.length > bound ? Number.POSITIVE_INFINITY : distance(wanted, name)
}

/**
 * A name from a note, safe for a message: in quotes, cut, and without anything that a screen or a model could take for
 * more than a name.
 */
export function shownName(name: string): string {
  const short = name.length > MAX_SHOWN ? `${cutText(name, MAX_SHOWN)}…` : name
  const plain = short.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
  return `"${plain}"`
}
