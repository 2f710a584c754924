import { dayBefore, dayInZone } from '@mnemark/spec'

/** Making a formatter costs far more than using it. */
const hourFormatters = new Map<string, Intl.DateTimeFormat>()

/**
 * The day that an instant belongs to where a day begins at `atHour` of the user's clock: YYYY-MM-DD. Every question of "which day" is answered
 * here, so resets, flushes and logs agree. It reads the clock on the wall, so days on which clocks change have 23 or 25 hours and one beginning.
 * @param atHour 0 to 23
 * @throws ConfigError for an unknown zone
 */
export function sessionDay(
  instantMs: number,
  { timeZone, atHour = 0 }: { readonly timeZone?: string | undefined; readonly atHour?: number },
): string {
  const day = dayInZone(instantMs, timeZone)
  return hourOf(instantMs, timeZone) >= atHour ? day : dayBefore(day)
}

function hourOf(instantMs: number, timeZone: string | undefined): number {
  const known = timeZone === undefined ? undefined : hourFormatters.get(timeZone)
  const formatter = known ?? new Intl.DateTimeFormat('en-u-nu-latn', { hour: '2-digit', hourCycle: 'h23', timeZone })
  if (timeZone !== undefined) hourFormatters.set(timeZone, formatter)
  return Number(formatter.format(instantMs))
}
