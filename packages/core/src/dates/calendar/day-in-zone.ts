import { ConfigError } from '@mnemark/spec'
import { calendarDay } from './calendar-day.ts'

// Making a formatter costs a hundred times more than using it, and an answer uses one zone.
const formatters = new Map<string, Intl.DateTimeFormat>()

/**
 * The calendar day of an instant (milliseconds since 1970) in an IANA time zone, never in the system's.
 * Throws ConfigError for an unknown zone, RangeError for an instant that is no time.
 */
export function dayInZone(instantMs: number, timeZone: string): string {
  if (!Number.isFinite(instantMs)) throw new RangeError('expected an instant in milliseconds')
  const parts = formatterFor(timeZone).formatToParts(instantMs)
  const number = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
  const day = calendarDay(number('year'), number('month'), number('day'))
  if (day === null) throw new RangeError('the instant lies outside the years 1 to 9999')
  return day
}

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  try {
    const made = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    formatters.set(timeZone, made)
    return made
  } catch (cause) {
    throw new ConfigError('invalid-value', `timeZone: expected an IANA name such as Europe/Paris, got ${timeZone}`, { cause })
  }
}
