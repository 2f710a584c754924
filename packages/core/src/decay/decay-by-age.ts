import { ageInDays, lastDay, type NoteDays } from './age-in-days.ts'
import { decayFactor } from './decay-factor.ts'

export interface DecaySettings {
  readonly nowMs: number
  /** IANA name of the user's zone. */
  readonly timeZone: string
  readonly halfLifeDays: number
}

/** Effect of age on a note's score, as explanations show it. Null for an undated note: its factor is 1. */
export function decayByAge(
  days: NoteDays,
  settings: DecaySettings,
): { readonly day: string; readonly ageDays: number; readonly factor: number } | null {
  const day = lastDay(days)
  const ageDays = ageInDays(days, settings.nowMs, settings.timeZone)
  if (day === null || ageDays === null) return null
  return { day, ageDays, factor: decayFactor(ageDays, settings.halfLifeDays) }
}
