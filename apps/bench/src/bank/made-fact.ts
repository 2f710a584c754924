import type { FactDays, FactKind, FactRelation, WritableFact } from '@mnemark/bank'
import { factId } from '@mnemark/bank'
import { entityKey } from '@mnemark/core/document'
import type { MadeEntity } from './made-entities.ts'
import type { SlotName } from './words/year-words.ts'
import { dayText } from './year-days.ts'

/** The subject of a question about a fact: a property and its value in turn, a preference, or a thing that something happened to. */
export type Topic =
  | { readonly type: 'slot'; readonly slot: SlotName; readonly turn: number }
  | { readonly type: 'preference'; readonly situation: string; readonly turn: number }
  | { readonly type: 'event'; readonly noun: string }

/** A fact of the year, and the day of the log that tells it. */
export interface MadeFact {
  readonly id: string
  readonly entity: MadeEntity
  /** The name that the line uses. */
  readonly named: string
  readonly kind: FactKind
  readonly content: string
  readonly topic: Topic
  /** Day of the log, from 0. */
  readonly day: number
  /** First and last valid day; the last is missing where it is open. */
  readonly from: number
  readonly to?: number
  /** Whether the line names its days itself; else they are those of the log. */
  readonly isDated: boolean
  readonly relation?: FactRelation
  readonly confidence?: number
  readonly isByAgent: boolean
}

/** Days of a fact as its line or its log gives them. */
function daysOf({ from, to, isDated }: Pick<MadeFact, 'from' | 'to' | 'isDated'>): FactDays {
  if (!isDated) return { from: dayText(from), to: dayText(from) }
  return to === undefined ? { from: dayText(from), isOpen: true } : { from: dayText(from), to: dayText(to) }
}

export function makeFact(fact: Omit<MadeFact, 'id'>): MadeFact {
  const { named, kind, content } = fact
  const entities = [{ name: named, key: entityKey(named), isLink: false }]
  return { ...fact, id: factId({ kind, content, entities, days: daysOf(fact) }) }
}

/** The fact in the form that the bank's writer takes. */
export function writableOf(fact: MadeFact): WritableFact {
  const { named, kind, content, relation, confidence, isDated, isByAgent } = fact
  return {
    kind,
    content,
    entities: [{ name: named, key: entityKey(named), isLink: false }],
    ...(isDated && { written: daysOf(fact) }),
    ...(relation !== undefined && { relations: [relation] }),
    ...(confidence !== undefined && { confidence }),
    ...(isByAgent && { author: 'agent' }),
  }
}
