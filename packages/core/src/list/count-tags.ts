import type { TagCount } from '@mnemark/spec'
import { compareKeys } from '../keywords/format/key-order.ts'
import { later, type NoteTag, type PassingNote } from './passing-notes.ts'

interface Count {
  notes: number
  newest: string | undefined
  readonly spellings: Map<string, number>
}

/** Number of notes with each tag, greatest first. A tag counts for its parents as well, as filters match it. */
export function countTags(notes: readonly PassingNote[]): readonly TagCount[] {
  const counts = new Map<string, Count>()
  for (const { tags } of notes)
    for (const [key, { tag, day }] of withParents(tags)) {
      const count = counts.get(key) ?? { notes: 0, newest: undefined, spellings: new Map<string, number>() }
      counts.set(key, count)
      count.notes++
      count.newest = later(count.newest, day)
      count.spellings.set(tag, (count.spellings.get(tag) ?? 0) + 1)
    }
  return [...counts]
    .sort(([left, { notes: a }], [right, { notes: b }]) => b - a || compareKeys(left, right))
    .map(([, { notes: count, newest, spellings }]) => ({
      tag: mostFrequent(spellings),
      notes: count,
      ...(newest !== undefined && { newest }),
    }))
}

/** Each tag of one note once, with its parents: `project/alpha` and `project`. */
function withParents(tags: ReadonlyMap<string, NoteTag>): ReadonlyMap<string, NoteTag> {
  const all = new Map(tags)
  for (const [key, { tag, day }] of tags) {
    const keys = key.split('/')
    const names = tag.split('/').map((name) => name.trim())
    for (let length = keys.length - 1; length > 0; length--) {
      const parent = keys.slice(0, length).join('/')
      const known = all.get(parent)
      all.set(parent, { tag: known?.tag ?? names.slice(0, length).join('/'), day: later(known?.day, day) })
    }
  }
  return all
}

/** Ties are decided by code points, so that the result does not depend on the order of notes. */
function mostFrequent(spellings: ReadonlyMap<string, number>): string {
  const [best] = [...spellings].sort(([left, a], [right, b]) => b - a || compareKeys(left, right))
  return best?.[0] ?? ''
}
