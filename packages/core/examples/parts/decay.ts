import { ageInDays, decayFactor } from '@mnemark/core/decay'

const now = Date.UTC(2026, 2, 16)
for (const day of ['2026-03-16', '2026-03-09', '2026-02-14', '2025-09-17']) {
  const age = ageInDays({ from: day }, now, 'UTC') ?? 0
  console.log(day, `${age} days`, `${(100 * decayFactor(age, 30)).toFixed(1)} %`)
}
console.log(ageInDays({}, now, 'UTC'))
