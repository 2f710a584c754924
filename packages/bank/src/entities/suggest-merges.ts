import type { Entity } from './entities.ts'
import { soundKey } from './sound-key.ts'

/** Two entities that may be one; a person decides. */
export interface MergeSuggestion {
  /** Keys, the shorter name first. */
  readonly keys: readonly [string, string]
  /**
   * `contained`: one name holds the other, and both are named beside the same entities. `spelling`: one letter apart. `label`: links show one
   * for the other. `script`: two scripts write them for each other, such as Peter and بيتر.
   */
  readonly why: 'contained' | 'spelling' | 'label' | 'script'
}

export interface SuggestOptions {
  /** For each key the keys that facts name beside it. */
  readonly together: ReadonlyMap<string, ReadonlySet<string>>
  /** How often links show a label for a target: `[[Peter Lund|Pete]]`. */
  readonly labels?: readonly { readonly target: string; readonly label: string; readonly count: number }[]
}

const LEAST_SHARED = 2
const LEAST_LETTERS = 6
/** Fewer uses of a label may be a slip. */
export const LEAST_LABELS = 2

/**
 * Pairs to offer for a merge, never done by itself. Names with different digits, versions or dates, and pages of
 * different types, are never a pair, however alike.
 */
export function suggestMerges(entities: readonly Entity[], options: SuggestOptions): readonly MergeSuggestion[] {
  const found = new Map<string, MergeSuggestion>()
  const add = (left: Entity, right: Entity, why: MergeSuggestion['why']): void => {
    const [first, second] = left.key.length <= right.key.length ? [left.key, right.key] : [right.key, left.key]
    const pair = `${first}\0${second}`
    if (!found.has(pair)) found.set(pair, { keys: [first, second], why })
  }
  for (const [left, right] of similarPairs(entities)) {
    if (!mayBeOne(left, right)) continue
    if (isContained(left, right) && shared(left, right, options.together) >= LEAST_SHARED) add(left, right, 'contained')
    else if (isSpelling(left.key, right.key)) add(left, right, 'spelling')
  }
  for (const [left, right] of alikeInScripts(entities)) if (mayBeOne(left, right)) add(left, right, 'script')
  const byKey = new Map(entities.flatMap((entity) => entity.keys.map((key) => [key, entity] as const)))
  for (const { target, label, count } of options.labels ?? []) {
    const [left, right] = [byKey.get(target), byKey.get(label)]
    if (count >= LEAST_LABELS && left !== undefined && right !== undefined && left !== right && mayBeOne(left, right))
      add(left, right, 'label')
  }
  return [...found.values()].sort((left, right) => (left.keys.join('\0') < right.keys.join('\0') ? -1 : 1))
}

/** Pairs that share a word, or a half of their letters: all others are neither contained nor a letter apart. */
function similarPairs(entities: readonly Entity[]): readonly (readonly [Entity, Entity])[] {
  const places = new Map<string, Entity[]>()
  for (const entity of entities) {
    const { key } = entity
    const half = Math.floor(key.length / 2)
    const parts = [...key.split(' '), `^${key.slice(0, half)}`, `$${key.slice(key.length - half)}`, `^${key.slice(0, half - 1)}`]
    for (const part of new Set(parts)) {
      const known = places.get(part)
      if (known === undefined) places.set(part, [entity])
      else known.push(entity)
    }
  }
  const pairs = new Map<string, readonly [Entity, Entity]>()
  for (const group of places.values()) {
    if (group.length > MOST_IN_GROUP) continue
    for (const [at, left] of group.entries())
      for (const right of group.slice(at + 1)) pairs.set(`${left.key}\0${right.key}`, [left, right])
  }
  return [...pairs.values()]
}

/** Pairs of names in different scripts that sound alike by their letters. */
function alikeInScripts(entities: readonly Entity[]): readonly (readonly [Entity, Entity])[] {
  const alike = new Map<string, { readonly entity: Entity; readonly script: number }[]>()
  for (const entity of entities) {
    for (const key of entity.keys) {
      const { sound, script } = soundKey(key) ?? {}
      if (sound === undefined || script === undefined) continue
      alike.set(sound, [...(alike.get(sound) ?? []), { entity, script }])
    }
  }
  return [...alike.values()]
    .filter((group) => group.length <= MOST_IN_GROUP)
    .flatMap((group) =>
      group.flatMap((left, at) =>
        group
          .slice(at + 1)
          .filter((right) => right.script !== left.script && right.entity !== left.entity)
          .map((right) => [left.entity, right.entity] as const),
      ),
    )
}

/** A word of more names than that says nothing about any two. */
const MOST_IN_GROUP = 200

/** Names that differ in a digit, and pages that say they are different things, are never one. */
export function mayBeOne(left: Entity, right: Entity): boolean {
  const haveSameType = left.type === undefined || right.type === undefined || left.type === right.type
  return haveSameType && digitsOf(left.key) === digitsOf(right.key)
}

function digitsOf(key: string): string {
  return (key.match(/\p{N}+/gu) ?? []).join(' ')
}

function isContained(left: Entity, right: Entity): boolean {
  const [short, long] = left.key.length <= right.key.length ? [left.key, right.key] : [right.key, left.key]
  return ` ${long} `.includes(` ${short} `)
}

function shared(left: Entity, right: Entity, together: SuggestOptions['together']): number {
  const besides = (entity: Entity): ReadonlySet<string> => new Set(entity.keys.flatMap((key) => [...(together.get(key) ?? [])]))
  const others = besides(right)
  return [...besides(left)].filter((key) => others.has(key) && !left.keys.includes(key) && !right.keys.includes(key)).length
}

/** Names of six letters or more that are one letter apart: added, lost, changed, or two swapped. */
function isSpelling(left: string, right: string): boolean {
  if (Math.min([...left].length, [...right].length) < LEAST_LETTERS || Math.abs(left.length - right.length) > 1) return false
  let start = 0
  while (start < left.length && left[start] === right[start]) start += 1
  let [leftEnd, rightEnd] = [left.length, right.length]
  while (leftEnd > start && rightEnd > start && left[leftEnd - 1] === right[rightEnd - 1]) {
    leftEnd -= 1
    rightEnd -= 1
  }
  const [one, other] = [left.slice(start, leftEnd), right.slice(start, rightEnd)]
  const areSwapped = one.length === 2 && other.length === 2 && one[0] === other[1] && one[1] === other[0]
  return one !== other && (Math.max(one.length, other.length) <= 1 || areSwapped)
}
