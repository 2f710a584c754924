/**
 * A request without what says nothing: `null`, `undefined`, blank texts, and lists and records in which nothing is left. Programs fill
 * in forms and models fill in schemas, so an empty member means "as if it were not there", never "nothing passes". Everything else,
 * objects with a class of their own (signals, say) included, stays as it is. Undefined where nothing at all is left.
 */
export function withoutBlanks<Value>(value: Value): Value | undefined {
  // Safe: members are only left out, and every optional member of a request may be absent.
  return givenOf(value, 0) as Value | undefined
}

/** No request is nested deeper; what a stranger sends may be, and is left for others to refuse. */
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
