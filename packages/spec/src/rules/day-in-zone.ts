import { ConfigError } from '../errors.ts'

// Making a formatter costs a hundred times more than using it, and an answer uses one zone.
const formatters = new Map<string, Intl.DateTimeFormat>()

/**
 * The calendar day, YYYY-MM-DD, of an instant in milliseconds since 1970, in an IANA time zone; without one, in the system's.
 * Throws ConfigError for an unknown zone, RangeError for an instant that is no time or beyond the year 9999.
 */
export function dayInZone(instantMs: number, timeZone?: string): string {
  if (!Number.isFinite(instantMs)) throw new RangeError('expected an instant in milliseconds')
  const parts = formatterFor(timeZone).formatToParts(instantMs)
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? ''
  const year = part('year').padStart(4, '0')
  if (year.length > 4) throw new RangeError('the instant lies outside the years 1 to 9999')
  return `${year}-${part('month')}-${part('day')}`
}

function formatterFor(timeZone: string | undefined): Intl.DateTimeFormat {
  // The system's zone can change while the process runs.
  if (timeZone === undefined) return makeFormatter()
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  try {
    const made = makeFormatter(timeZone)
    formatters.set(timeZone, made)
    return made
  } catch (cause) {
    throw new ConfigError('invalid-value', `timeZone: expected an IANA name such as Europe/Paris, got ${timeZone}`, { cause })
  }
}

function makeFormatter(timeZone?: string): Intl.DateTimeFormat {
  const fields = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  return new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', { ...fields, timeZone })
}

/** The day before a calendar day, both YYYY-MM-DD. */
export function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
}
