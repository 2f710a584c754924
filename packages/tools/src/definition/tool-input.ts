import { withoutBlanks } from '@mnemark/spec'
import * as v from 'valibot'

/** A list of short texts. */
export const texts: v.GenericSchema<unknown, readonly string[]> = v.pipe(
  v.array(v.pipe(v.string('expected a text'), v.maxLength(500)), 'expected a list of texts'),
  v.maxLength(50),
)

/** A count from 1 to `most`. */
export function count(most: number): v.GenericSchema<unknown, number> {
  const message = `expected a whole number from 1 to ${most}`
  return v.pipe(v.number(message), v.integer(message), v.minValue(1, message), v.maxValue(most, message))
}

/** A day as people write one; core reads it. */
export const day: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.maxLength(100))
export const DAY_FORMS = '2026-03-14, 2026-03, 2026, 7d, 2w, 3m, or words such as "yesterday" or "last week", in any language'

/**
 * The schema of a request whose optional members may be sent as `null`, blank or empty: these count as left out, as models and
 * forms intend. Its JSON Schema is that of the members.
 */
export function request<Input>(
  entries: Parameters<typeof v.strictObject>[0],
  // Safe: the entries decide the output, and the caller names its type.
): v.GenericSchema<unknown, Input> {
  const schema = v.strictObject(entries)
  const isOptional = (name: string): boolean => /optional/.test(entries[name]?.type ?? '')
  const given = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const members = Object.entries(value).map(
      ([name, member]) => [name, isOptional(name) ? withoutBlanks(member) : member] as const,
    )
    return Object.fromEntries(members.filter(([name, member]) => member !== undefined || !isOptional(name)))
  }
  const tolerant = {
    ...schema,
    '~run': (dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) =>
      schema['~run']({ ...dataset, value: given(dataset.value) }, config),
    '~standard': { ...schema['~standard'], validate: (value: unknown) => schema['~standard'].validate(given(value)) },
  }
  return tolerant as unknown as v.GenericSchema<unknown, Input>
}

const LINE_EXPECTED = 'expected a whole number from 1'
/** A path, or a citation, as search shows it. */
export const path: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.minLength(1), v.maxLength(4_096))
export const lineNumber: v.GenericSchema<unknown, number> = v.pipe(
  v.number(LINE_EXPECTED),
  v.integer(LINE_EXPECTED),
  v.minValue(1, LINE_EXPECTED),
)
