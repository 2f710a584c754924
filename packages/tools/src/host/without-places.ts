const BEFORE = '(?<=^|[\\s"\'`(\\[<=:,])'
const WITHIN = '[^\\s"\'`()<>\\],;]'
/** Absolute paths, also of Windows and as `file:` URLs, recognised by their context in a sentence. */
const ANY_PLACE = `(?:file:///|/(?!/)|~/|[A-Za-z]:[\\\\/](?!/)|\\\\\\\\(?=\\w))${WITHIN}+`

/**
 * Finds paths of this machine in texts.
 * @param known folders and files to match in full, since a path with a blank in it cannot be told from the words after it
 */
export function placesIn(known: readonly string[] = []): RegExp {
  const names = known
    .toSorted((left, right) => right.length - left.length)
    .map((place) => `${place.replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&')}${WITHIN}*`)
  return new RegExp(`${BEFORE}(?:${[...names, ANY_PLACE].join('|')})`, 'gu')
}

/** Returns the value with `…` for every path in its texts. Lists and plain objects are searched too. */
export function withoutPlaces<Value>(value: Value, places: RegExp): Value {
  // Safe: a text stays a text, a list keeps its length, and an object keeps its keys.
  return cleaned(value, places) as Value
}

function cleaned(value: unknown, places: RegExp): unknown {
  if (typeof value === 'string') return value.replace(places, '…')
  if (Array.isArray(value)) return value.map((member) => cleaned(member, places))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cleaned(member, places)]))
}
