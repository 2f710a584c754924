import { readCalendarDates, readDates, readDayArgument, readTimeWindows } from '@mnemark/core/dates'

const clock = { nowMs: Date.UTC(2026, 2, 16), timeZone: 'Europe/Amsterdam' }
for (const query of ['what did we decide last week', 'notes of May 2nd', '5月2号的会议', 'في 3 مارس 2025']) {
  const [mention] = readDates(query, clock)
  console.log(query.slice(mention?.start, mention?.end), mention?.from, mention?.to, mention?.precision)
}
console.log(readCalendarDates('Paid on 2026-01-31, due 3/4/2026.', 'dmy').map(({ from }) => from))
console.log(readDayArgument('7d', 'first', clock))
for (const text of [
  'works there since March 2025',
  'from 28 Feb to 3 March',
  'turnover of Q3 2025',
  '去年下半年',
  'حتى 5 مارس',
]) {
  const [window] = readTimeWindows(text, { today: '2026-03-16' })
  console.log(window?.from ?? 'open', window?.to ?? 'open', window?.precision, window?.relation)
}
