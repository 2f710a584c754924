import * as v from 'valibot'

/** A list of short texts. */
export const texts: v.GenericSchema<unknown, readonly string[]> = v.pipe(
  v.array(v.pipe(v.string(), v.maxLength(500))),
  v.maxLength(50),
)

/** A calendar day. */
export const day: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.isoDate('expected a day as YYYY-MM-DD'))

/** A path, or a citation, as search shows it. */
export const path: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.minLength(1), v.maxLength(4_096))
export const lineNumber: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.integer(), v.minValue(1))
