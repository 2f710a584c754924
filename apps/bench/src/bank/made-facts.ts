import type { FactKind, FactRelation } from '@mnemark/bank'
import type { Chances } from './chances.ts'
import { type MadeEntity, slotsOf, WORDS } from './made-entities.ts'
import { makeFact, type MadeFact } from './made-fact.ts'
import type { SlotName } from './words/year-words.ts'
import { dayIn, DAYS_OF_YEAR } from './year-days.ts'

/** Shares of facts, 0 to 1. */
const BY_ALIAS = 0.2
const BY_AGENT = 0.25
const TOLD_LATE = 0.35
const CORRECTED = 0.3
const PREFERENCE_CHANGED = 0.3
const EVENT_TOLD_LATER = 0.7
const EVENT_OF_SOME_DAYS = 0.25

/** Days in which the first, second and third value of a slot begins. */
const TURNS = [
  [3, 35],
  [100, 160],
  [215, 285],
] as const
/** Assigned, assigned elsewhere, assigned again: first and last days of each. */
const ASSIGNMENTS = [
  [15, 25, 62, 75],
  [85, 89, 125, 155],
  [195, 208, 250, 290],
] as const

/** The part of a fact that a story states; the rest is the same for all facts of an entity. */
type Told = Omit<MadeFact, 'id' | 'entity' | 'named' | 'isByAgent'> & Partial<Pick<MadeFact, 'isByAgent'>>

class Story {
  readonly facts: MadeFact[] = []
  readonly #entity: MadeEntity
  readonly #chances: Chances

  constructor(entity: MadeEntity, chances: Chances) {
    this.#entity = entity
    this.#chances = chances
  }

  get words() {
    return WORDS[this.#entity.language]
  }

  day(from: number, to: number): number {
    return dayIn(this.#entity.language, this.#chances.between(from, to))
  }

  tell(told: Told): MadeFact {
    const entity = this.#entity
    const named = this.#chances.happens(BY_ALIAS) ? this.#chances.one(entity.aliases) : entity.name
    const fact = makeFact({ entity, named, isByAgent: false, ...told })
    this.facts.push(fact)
    return fact
  }

  tellSlot(slot: SlotName): void {
    if (slot === 'duty') this.#tellAssignments(slot)
    else this.#tellValues(slot)
  }

  /** Three values, one after the other. Some are told long after they began, and some of the last ones are corrected. */
  #tellValues(slot: SlotName): void {
    const { phrases, values } = this.words.slots[slot]
    const chosen = this.#chances.shuffled(values)
    let last: MadeFact | undefined
    for (const [turn, [low, high]] of TURNS.entries()) {
      const from = this.day(low, high)
      const isLate = this.#chances.happens(TOLD_LATE)
      const day = isLate ? this.day(from + 10, Math.min(from + 190, DAYS_OF_YEAR - 20)) : from
      const content = `${turn === 0 ? phrases[0] : this.#chances.one(phrases)} ${chosen[turn]}`
      last = this.tell({ kind: 'world', content, topic: { type: 'slot', slot, turn }, day, from, isDated: isLate })
    }
    if (last === undefined || !this.#chances.happens(CORRECTED)) return
    const content = `${this.#chances.one(phrases)} ${chosen[TURNS.length]}`
    const day = this.day(last.day + 1, last.day + 6)
    this.tell({
      kind: 'world',
      content,
      topic: { type: 'slot', slot, turn: TURNS.length },
      day,
      from: last.isDated ? last.from : day,
      isDated: last.isDated,
      relation: { verb: 'corrects', target: last.id, by: 'id' },
    })
  }

  /** One value in two intervals that do not meet, and another one between them. */
  #tellAssignments(slot: SlotName): void {
    const { phrases, values } = this.words.slots[slot]
    const [first = '', second = ''] = this.#chances.shuffled(values)
    for (const [turn, [low, high, end, last]] of ASSIGNMENTS.entries()) {
      const [from, to] = [this.#chances.between(low, high), this.#chances.between(end, last)]
      const content = `${this.#chances.one(phrases)} ${turn === 1 ? second : first}`
      const day = this.day(to + 1, to + 40)
      this.tell({ kind: 'world', content, topic: { type: 'slot', slot, turn }, day, from, to, isDated: true })
    }
  }

  tellPreferences(): void {
    const { preferences, liking } = this.words
    for (const { situation, likes } of preferences) {
      const [first = '', second = ''] = this.#chances.shuffled(likes)
      const tell = (like: string, turn: number, day: number, relation?: FactRelation) =>
        this.tell({
          kind: 'opinion',
          content: liking.replace('{like}', like).replace('{situation}', situation),
          topic: { type: 'preference', situation, turn },
          confidence: this.#chances.between(60, 95) / 100,
          day,
          from: day,
          isDated: false,
          ...(relation !== undefined && { relation }),
        })
      const before = tell(first, 0, this.day(5, 180))
      if (!this.#chances.happens(PREFERENCE_CHANGED)) continue
      tell(second, 1, this.day(200, 330), { verb: 'supersedes', target: before.id, by: 'id' })
    }
  }

  /** Something that happened to a thing which nothing else of this entity is about; most are told some days later. */
  tellEvent(noun: string): void {
    const content = this.#chances.one(this.words.events).replace('{noun}', noun)
    const kind = this.#chances.one<FactKind>(['experience', 'experience', 'world', 'observation'])
    const isLater = this.#chances.happens(EVENT_TOLD_LATER)
    const from = this.#chances.between(5, DAYS_OF_YEAR - 40)
    const to = isLater && this.#chances.happens(EVENT_OF_SOME_DAYS) ? from + this.#chances.between(1, 4) : from
    const day = isLater ? this.day(to + 2, to + 25) : this.day(from, from)
    const days = isLater ? { from, to } : { from: day, to: day }
    const isByAgent = this.#chances.happens(BY_AGENT)
    this.tell({ kind, content, topic: { type: 'event', noun }, day, ...days, isDated: isLater, isByAgent })
  }
}

/** The facts of all entities, `count` of them; throws RangeError where the words do not suffice. */
export function makeFacts(entities: readonly MadeEntity[], count: number, chances: Chances): readonly MadeFact[] {
  const stories = entities.map((entity) => {
    const story = new Story(entity, chances)
    for (const slot of slotsOf(entity)) story.tellSlot(slot)
    if (entity.type === 'person') story.tellPreferences()
    return { story, nouns: [...chances.shuffled(story.words.nouns)] }
  })
  const told = () => stories.reduce((sum, { story }) => sum + story.facts.length, 0)
  for (let left = count - told(), turn = 0; left > 0; left -= 1, turn += 1) {
    const { story, nouns } = stories[turn % stories.length] ?? {}
    const noun = nouns?.pop()
    if (story === undefined || noun === undefined) throw new RangeError(`There are too few words for ${count} facts.`)
    story.tellEvent(noun)
  }
  const facts = stories.flatMap(({ story }) => story.facts)
  if (facts.length !== count) throw new RangeError(`${entities.length} entities have more than ${count} facts.`)
  return facts
}
