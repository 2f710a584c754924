import { weekRangeOf } from '../calendar/day-range.ts'
import { halfOfMonth, thirdOf } from '../calendar/year-parts.ts'
import { changed, type Period } from './period.ts'
import { ARTICLES, before, byLength, folded, linksToYear, WORD_START } from './time-words.ts'

/** Words for the first, second and last third of a month or year, before it and, in Chinese, behind it. */
const THIRDS: readonly string[] = [
  'early|beginning of|start of|anfang|principios de|principios del|comienzos de|comienzos del|inicios de|inicios del|début|début de|أوائل|مطلع|بداية|اوایل|ابتدای',
  'mid|middle of|mitte|mediados de|mediados del|mi(?=-)|milieu de|منتصف|أواسط|اواسط',
  'late|end of|ende|finales de|finales del|fines de|fin|fin de|أواخر|نهاية|اواخر|پایان|انتهای',
]
const thirdsBefore = THIRDS.map((words) => new RegExp(`${WORD_START}[وف]?(?:${byLength(folded(words))})[ -]${ARTICLES}$`, 'u'))
const thirdsBehind = [/^(?:上旬|初(?![中步始级級]))/u, /^(?:中旬|中(?![国國文午间間学學心]))/u, /^(?:下旬|底|末)/u]
const weekBefore = new RegExp(
  `${WORD_START}(?:${byLength(folded('week of|week beginning|week starting|week commencing|woche vom|woche ab|woche des|semana del|semana de|semaine du|أسبوع|هفته'))}) ${ARTICLES}$`,
  'u',
)
const weekBehind = /^的?(?:那|当|當|这|這)[一]?[个個]?(?:周|週|星期|礼拜|禮拜)/u

/** Reads "early March", "first half of March", "the week of 9 March": the period that other words cut or extend. */
export function narrowedPeriods(text: string, periods: readonly Period[]): Period[] {
  const narrowed: Period[] = []
  for (const [at, period] of periods.entries()) {
    const [last, next] = [periods[at - 1], periods[at + 1]]
    const ahead = before(text, last?.end ?? 0, period.start)
    const behind = text.slice(period.end, Math.min(next?.start ?? text.length, period.end + 8))
    const half = last?.part?.kind === 'half' && last.isWeak === true && linksToYear(text.slice(last.end, period.start), true)
    if (half && period.precision === 'month' && last?.part !== undefined) {
      const { place } = last.part
      narrowed.pop()
      narrowed.push(changed({ ...period, start: last.start, isWeak: false }, (range) => halfOfMonth(range, place)) ?? period)
    } else narrowed.push(thirdIn(period, ahead, behind) ?? weekIn(period, ahead, behind) ?? period)
  }
  return narrowed
}

function thirdIn(period: Period, ahead: string, behind: string): Period | undefined {
  if (period.precision !== 'month' && period.year === undefined) return undefined
  for (const place of [1, 2, 3]) {
    const [lead, suffix] = [thirdsBefore[place - 1]?.exec(ahead), thirdsBehind[place - 1]?.exec(behind)]
    if (!lead && !suffix) continue
    // "The beginning of the 2006 season" is no part of a year.
    if (period.year !== undefined && lead?.[0].endsWith('the ')) return undefined
    const { start, end, year: _year, ...rest } = period
    const bound = { ...rest, start: start - (lead?.[0].length ?? 0), end: end + (suffix?.[0].length ?? 0), isWeak: false }
    return changed(bound, (range) => thirdOf(range, place))
  }
  return undefined
}

function weekIn(period: Period, ahead: string, behind: string): Period | undefined {
  if (period.precision !== 'day' || period.isWeak === true || period.range.from !== period.range.to) return undefined
  const [lead, suffix] = [weekBefore.exec(ahead), weekBehind.exec(behind)]
  if (lead === null && suffix === null) return undefined
  const [start, end] = [period.start - (lead?.[0].length ?? 0), period.end + (suffix?.[0].length ?? 0)]
  return changed({ ...period, start, end, precision: 'week' }, ({ from }) => weekRangeOf(from))
}
