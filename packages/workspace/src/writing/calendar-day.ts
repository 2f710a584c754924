import { ConfigError } from '@mnemark/spec'

/**
 * The calendar day of an instant as YYYY-MM-DD.
 * @param timeZone IANA name; absent = the system's
 * @throws ConfigError `invalid-value` for a time zone that does not exist
 */
export function calendarDay(instantMs: number, timeZone?: string): string {
  const parts = formatterFor(timeZone).formatToParts(instantMs)
  const part = (type: 'year' | 'month' | 'day'): string => parts.find((one) => one.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

/** @throws ConfigError `invalid-value` for a time zone that does not exist */
export function formatterFor(timeZone?: string): Intl.DateTimeFormat {
  const fields = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  try {
    return new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', { ...fields, ...(timeZone === undefined ? {} : { timeZone }) })
  } catch (cause) {
    const message = `The time zone ${JSON.stringify(timeZone)} does not exist: expected an IANA name such as Asia/Jakarta.`
    throw new ConfigError('invalid-value', message, { cause })
  }
}
