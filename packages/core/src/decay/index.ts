// Decay of scores with age. Pure: the clock and the zone are arguments.
export { ageInDays } from './age-in-days.ts'
export type { NoteDays } from './age-in-days.ts'
export { decayFactor } from './decay-factor.ts'
