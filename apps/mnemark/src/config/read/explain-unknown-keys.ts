import { editsBetween, nearestWord } from '../../nearest-word.ts'
import type { KeyPath, UnknownKey } from './known-keys.ts'
import type { KeyTree } from '../schema/key-tree.ts'

/** One sentence for each unknown key: the nearest known key, or the place where a known key belongs. */
export function explainUnknownKeys(unknown: readonly UnknownKey[], tree: KeyTree): readonly string[] {
  const places = placesByName(tree)
  return unknown.map((key) => explain(key, places))
}

/** Every known key by its last name: `mmr` stands at `agents.defaults.memorySearch.query.hybrid.mmr`. The newer spelling is left out where the usual one has the key. */
function placesByName(tree: KeyTree): ReadonlyMap<string, readonly KeyPath[]> {
  const places = new Map<string, KeyPath[]>()
  const walk = (node: KeyTree, path: KeyPath): void => {
    if (node.info?.isForeign === true) return
    const name = path.at(-1)
    if (name !== undefined && name !== '*') places.set(name, [...(places.get(name) ?? []), path])
    if (node.kind === 'object') for (const [key, child] of node.keys) walk(child, [...path, key])
    if (node.kind === 'list') walk(node.item, [...path, '*'])
    if (node.kind === 'record') walk(node.value, [...path, '*'])
    if (node.kind === 'either') for (const form of node.forms) if (form.kind !== 'value') walk(form, path)
  }
  walk(tree, [])
  return places
}

function explain({ path, siblings }: UnknownKey, places: ReadonlyMap<string, readonly KeyPath[]>): string {
  const key = path.join('.')
  const name = path.at(-1) ?? ''
  const sibling = nearestWord(name, siblings, 2)
  if (sibling !== undefined && editsBetween(name, sibling) <= 1) return unknownKey(key, [...path.slice(0, -1), sibling])
  const elsewhere = places.get(name)
  if (elsewhere !== undefined) {
    const place = closestPlace(path, elsewhere).join('.')
    return `${key} is in the wrong place: it belongs at ${place}`
  }
  if (sibling !== undefined) return unknownKey(key, [...path.slice(0, -1), sibling])
  const other = nearestWord(name, [...places.keys()], 1)
  return unknownKey(key, other === undefined ? undefined : closestPlace(path, places.get(other) ?? []))
}

function unknownKey(key: string, known: KeyPath | undefined): string {
  const hint = known === undefined ? '' : `: did you mean ${known.join('.')}?`
  return `${key} is not a known key${hint}`
}

/** The place that shares most of its path with `path`; of equals the shortest, and the usual spelling before the newer and the per-agent one. */
function closestPlace(path: KeyPath, places: readonly KeyPath[]): KeyPath {
  const rank = (place: KeyPath): readonly number[] => [
    -shared(path, place),
    Number(place.includes('*')),
    Number(place[1] === 'search'),
    place.length,
  ]
  return [...places].sort((left, right) => compareRanks(rank(left), rank(right)))[0] ?? []
}

function shared(left: KeyPath, right: KeyPath): number {
  const end = left.findIndex((name, index) => name !== right[index])
  return end === -1 ? left.length : end
}

function compareRanks(left: readonly number[], right: readonly number[]): number {
  for (const [index, value] of left.entries()) {
    const difference = value - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
