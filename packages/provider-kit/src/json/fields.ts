/** The members of a JSON object, of unknown types. */
export type Fields = Readonly<Record<string, unknown>>

/** True for a JSON object: not a list, not null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The members of a JSON object; of anything else none. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** A text that is not blank; undefined for anything else. */
export function filledText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
