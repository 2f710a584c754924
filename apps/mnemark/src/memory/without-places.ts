import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import type { Settings } from '../config/load-settings.ts'

const BEFORE = '(?<=^|[\\s"\'(=])'
const WITHIN = '[^\\s"\'(),;]'
/** Absolute paths, also of Windows, by what stands before and after them in a sentence. */
const ANY_PLACE = `(?:/|~/|[A-Za-z]:[\\\\/])${WITHIN}+`

/** Finds the places of this machine in texts: its known folders by name, since a path with a blank in it cannot be told from the words after it. */
export function placesOf({ workspace, extraPaths, storePath, stateFolder, configFile }: Settings): RegExp {
  const known = [workspace, ...extraPaths, storePath, stateFolder, configFile, homedir()]
    .filter((place) => place !== null && place !== '/' && isAbsolute(place))
    .map((place) => `${String(place).replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&')}${WITHIN}*`)
    .toSorted((left, right) => right.length - left.length)
  return new RegExp(`${BEFORE}(?:${[...known, ANY_PLACE].join('|')})`, 'gu')
}

/** The same value with `…` for every place in its texts. Lists and plain objects are gone through. */
export function withoutPlaces<Value>(value: Value, places: RegExp): Value {
  // Safe: a text stays a text, a list a list of as many members, and an object keeps its keys.
  return cleaned(value, places) as Value
}

function cleaned(value: unknown, places: RegExp): unknown {
  if (typeof value === 'string') return value.replace(places, '…')
  if (Array.isArray(value)) return value.map((member) => cleaned(member, places))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cleaned(member, places)]))
}
