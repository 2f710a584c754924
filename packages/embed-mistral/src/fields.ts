export type Fields = Readonly<Record<string, unknown>>

/** The members of a JSON object; none of anything else. */
export function recordOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? // An object that is not an array has named members; they stay unknown.
      (value as Fields)
    : {}
}
