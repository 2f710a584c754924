/** The members of a JSON object, unknown until looked at. */
export type Fields = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object: no list, not null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The members of a JSON object; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** A text that says something; undefined for anything else. */
export function filledText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
