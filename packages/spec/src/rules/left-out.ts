/**
 * A request without its empty members: `null`, `undefined`, blank texts, and lists and records of only such members.
 * Programs fill in forms and models fill in schemas, so an empty member means "left out", never "nothing passes".
 * Everything else, including objects of a class (signals, say), is unchanged. Undefined where nothing is left.
 */
export function withoutBlanks<Value>(value: Value): Value | undefined {
  // Safe: members are only left out, and every optional member of a request may be absent.
  return givenOf(value, 0) as Value | undefined
}

/** Requests are not nested deeper; deeper input is left for others to refuse. */
const MAX_DEPTH = 16

function givenOf(value: unknown, depth: number): unknown {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (depth > MAX_DEPTH) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => givenOf(item, depth + 1)).filter((item) => item !== undefined)
    return items.length === 0 ? undefined : items
  }
  if (typeof value !== 'object' || !isPlain(value)) return value
  const members = Object.entries(value).flatMap(([name, member]) => {
    const given = givenOf(member, depth + 1)
    return given === undefined ? [] : [[name, given] as const]
  })
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
