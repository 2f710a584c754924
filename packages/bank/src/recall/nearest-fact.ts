import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import { compareText } from '../retain/compare-text.ts'
import { factsAbout, type Question } from './question.ts'
import type { RecalledFact } from './recall-reply.ts'
import { recalledFact } from './recalled-fact.ts'

const MS_PER_DAY = 86_400_000

/** The dated fact about the same entities that is nearest to the days asked for, else the newest one; undefined without any. */
export function nearestFact(question: Question): RecalledFact | undefined {
  const { state, entities, since, until, day } = question
  const facts = entities.length === 0 ? state.facts : factsAbout(question)
  const dated = facts.filter((fact) => fact.days !== undefined && fact.state === undefined)
  const [first, last] = [since ?? until ?? day, until ?? since ?? day]
  const [nearest] = dated.toSorted(
    (left, right) =>
      distance(left, first, last) - distance(right, first, last) ||
      compareText(right.days?.from ?? '', left.days?.from ?? '') ||
      compareText(left.id, right.id),
  )
  return nearest && recalledFact(nearest, 0, question)
}

function distance({ days }: IndexedFact, first: string, last: string): number {
  if (days === undefined) return Number.POSITIVE_INFINITY
  const to = days.isOpen ? '9999-12-31' : (days.to ?? days.from)
  if (days.from > last) return numberOf(days.from) - numberOf(last)
  return to < first ? numberOf(first) - numberOf(to) : 0
}

function numberOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / MS_PER_DAY
}
