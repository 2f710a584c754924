import { Chances } from './chances.ts'
import { type MadeEntity, WORDS } from './made-entities.ts'
import type { MadeFact } from './made-fact.ts'
import type { MadeYear, Place } from './made-year.ts'
import { spokenDay } from './prose.ts'
import { sharedWords } from './shared-words.ts'
import { YEAR_LANGUAGES, type YearLanguage } from './words/year-words.ts'
import { daysOfMonth, DAYS_OF_YEAR } from './year-days.ts'

export type QuestionKind = 'entity' | 'time' | 'value-now' | 'value-then' | 'preference'
export const QUESTION_KINDS: readonly QuestionKind[] = ['entity', 'time', 'value-now', 'value-then', 'preference']

/** One question, the lines that answer it and lines that must not be taken for them. */
export interface YearQuestion {
  readonly kind: QuestionKind
  readonly language: YearLanguage
  readonly text: string
  /** The name that it uses. */
  readonly name: string
  readonly gold: readonly MadeFact[]
  /** For each fact of `gold` the lines that say it: one of them is enough. */
  readonly goldPlaces: readonly (readonly Place[])[]
  /** Lines with other values of the same thing: earlier, later or corrected ones. They must rank below the gold. */
  readonly stale: readonly Place[]
  /** Lines of three facts that are close to the gold: of the same topic about others, or about the same entity. */
  readonly distractors: readonly Place[]
}

/** At most one word beside the entity. */
export const MOST_SHARED = 1
const DISTRACTORS = 3
const BY_ALIAS = 0.6
const MOST_GOLD = 2
/** Facts that a time question about one entity may find, gold and others. */
const MOST_IN_WINDOW = 5
const MONTHS = 12
const DAY_QUESTIONS = 0.5

interface Candidate {
  readonly kind: QuestionKind
  readonly entity: MadeEntity
  /** With `{name}` in it. */
  readonly form: string
  readonly gold: readonly MadeFact[]
  readonly stale: readonly MadeFact[]
  /** Nearest first. */
  readonly near: readonly MadeFact[]
}
type Window = readonly [from: number, to: number]

/** `Room-101` and `Room-102`, `v1.2` and `v1.20`: names that only their digits tell apart. */
function areSiblings(left: MadeEntity, right: MadeEntity): boolean {
  const letters = ({ name }: MadeEntity) => name.replaceAll(/\p{Nd}/gu, '')
  return left !== right && left.type === 'thing' && letters(left) === letters(right)
}

function siblingsFirst(entity: MadeEntity, facts: readonly MadeFact[]): readonly MadeFact[] {
  return facts.toSorted((left, right) => Number(areSiblings(entity, right.entity)) - Number(areSiblings(entity, left.entity)))
}

function endOf({ from, to }: MadeFact): number {
  return to ?? from
}

class QuestionMaker {
  readonly #facts: readonly MadeFact[]
  readonly #chances: Chances

  constructor({ facts, seed }: MadeYear) {
    this.#chances = new Chances(seed + 2)
    this.#facts = this.#chances.shuffled(facts)
  }

  candidatesAbout(entity: MadeEntity): readonly Candidate[] {
    const own = this.#facts.filter((fact) => fact.entity === entity)
    const events = own.filter(({ topic }) => topic.type === 'event')
    return [
      ...events.map((event) => this.#aboutEvent(event, events)),
      ...this.#aboutTimes(entity, own, events),
      ...this.#aboutSlots(entity, own),
      ...this.#aboutPreferences(entity, own),
    ]
  }

  #others(entity: MadeEntity, fits: (fact: MadeFact) => boolean): readonly MadeFact[] {
    const { language } = entity
    return siblingsFirst(
      entity,
      this.#facts.filter((fact) => fact.entity !== entity && fact.entity.language === language && fits(fact)),
    )
  }

  #aboutEvent(event: MadeFact, events: readonly MadeFact[]): Candidate {
    const { entity, topic } = event
    const noun = topic.type === 'event' ? topic.noun : ''
    const same = this.#others(entity, (fact) => fact.topic.type === 'event' && fact.topic.noun === noun)
    const near = [...same.slice(0, DISTRACTORS - 1), ...events.filter((other) => other !== event)]
    const form = WORDS[entity.language].entityQuestion.replace('{noun}', noun)
    return { kind: 'entity', entity, form, gold: [event], stale: [], near }
  }

  #aboutTimes(entity: MadeEntity, own: readonly MadeFact[], events: readonly MadeFact[]): readonly Candidate[] {
    const words = WORDS[entity.language]
    const days = events
      .filter(() => this.#chances.happens(DAY_QUESTIONS))
      .map((event) => this.#chances.between(event.from, endOf(event)))
      .map((day) => ({ form: words.dayQuestion, when: spokenDay(day, words), window: [day, day] as const }))
    const months = Array.from({ length: MONTHS }, (_, month) => ({
      form: words.monthQuestion,
      when: this.#monthText(month, entity.language),
      window: daysOfMonth(month),
    }))
    return [...days, ...months].flatMap(({ form, when, window }): Candidate[] => {
      const isWithin = (fact: MadeFact) => fact.from <= window[1] && endOf(fact) >= window[0]
      const gold = events.filter(isWithin)
      if (gold.length === 0 || gold.length > MOST_GOLD || own.filter(isWithin).length > MOST_IN_WINDOW) return []
      const elsewhere = events.filter((event) => !isWithin(event))
      const others = this.#others(entity, (fact) => fact.topic.type === 'event' && isWithin(fact))
      const near = [...others.slice(0, 1), ...elsewhere]
      return [{ kind: 'time', entity, form: form.replace('{when}', when), gold, stale: [], near }]
    })
  }

  #monthText(month: number, language: YearLanguage): string {
    const { months, monthText } = WORDS[language]
    return monthText.replace('{month}', months[month] ?? '')
  }

  #aboutSlots(entity: MadeEntity, own: readonly MadeFact[]): readonly Candidate[] {
    const slots = new Set(own.flatMap(({ topic }) => (topic.type === 'slot' ? [topic.slot] : [])))
    return [...slots].flatMap((slot): Candidate[] => {
      const turnOf = ({ topic }: MadeFact) => (topic.type === 'slot' ? topic.turn : -1)
      const ofSlot = (fact: MadeFact) => fact.topic.type === 'slot' && fact.topic.slot === slot
      const values = own.filter(ofSlot).toSorted((left, right) => turnOf(left) - turnOf(right))
      const words = WORDS[entity.language].slots[slot]
      const about = (kind: QuestionKind, form: string, gold: MadeFact): Candidate => ({
        kind,
        entity,
        form,
        gold: [gold],
        stale: values.filter((value) => value !== gold),
        near: this.#others(entity, ofSlot),
      })
      const last = values.at(-1)
      const now = last === undefined || last.to !== undefined ? [] : [about('value-now', words.askNow, last)]
      const then = this.#held(values).flatMap(({ value, window }) => {
        const month = this.#monthWithin(window)
        if (month === undefined) return []
        return [about('value-then', words.askThen.replace('{when}', this.#monthText(month, entity.language)), value)]
      })
      return [...now, ...then]
    })
  }

  /** The days in which each value held. One that was corrected held on none. */
  #held(values: readonly MadeFact[]): readonly { readonly value: MadeFact; readonly window: Window }[] {
    const corrected = new Set(values.map(({ relation }) => relation?.target))
    const stood = values.filter(({ id }) => !corrected.has(id))
    return stood.map((value, at) => ({
      value,
      window: [value.from, value.to ?? (stood[at + 1]?.from ?? DAYS_OF_YEAR) - 1],
    }))
  }

  #monthWithin([from, to]: Window): number | undefined {
    const months = Array.from({ length: MONTHS }, (_, month) => month).filter((month) => {
      const [first, last] = daysOfMonth(month)
      return from <= first && last <= to
    })
    return months.length === 0 ? undefined : this.#chances.one(months)
  }

  #aboutPreferences(entity: MadeEntity, own: readonly MadeFact[]): readonly Candidate[] {
    const { preferences, preferenceQuestion } = WORDS[entity.language]
    return preferences.flatMap(({ situation }): Candidate[] => {
      const isAbout = (fact: MadeFact) => fact.topic.type === 'preference' && fact.topic.situation === situation
      const told = own.filter(isAbout).toSorted((left, right) => left.day - right.day)
      const last = told.at(-1)
      if (last === undefined) return []
      const others = own.filter((fact) => fact.topic.type === 'preference' && !isAbout(fact))
      const near = [...this.#others(entity, isAbout).slice(0, DISTRACTORS - 1), ...others]
      const form = preferenceQuestion.replace('{situation}', situation)
      return [{ kind: 'preference', entity, form, gold: [last], stale: told.slice(0, -1), near }]
    })
  }
}

function questionOf({ kind, entity, form, gold, stale, near }: Candidate, year: MadeYear, chances: Chances): YearQuestion {
  const name = chances.happens(BY_ALIAS) ? chances.one(entity.aliases) : entity.name
  const placesOf = (fact: MadeFact) => year.places.get(fact.id) ?? []
  return {
    kind,
    language: entity.language,
    text: form.replace(/\{name\}(?=\p{Nd})/u, `${name} `).replace('{name}', name),
    name,
    gold,
    goldPlaces: gold.map(placesOf),
    stale: stale.flatMap(placesOf),
    distractors: near.slice(0, DISTRACTORS).flatMap((fact) => placesOf(fact).slice(0, 1)),
  }
}

/** Whether the words of a question give its answer away, or too little stands in its way. */
function isFair({ text, name, gold, language, distractors }: YearQuestion): boolean {
  const isFarFrom = ({ content }: MadeFact) => sharedWords(text, name, content, language).length <= MOST_SHARED
  return distractors.length === DISTRACTORS && gold.every(isFarFrom)
}

/** Questions about a year, up to `count` of each kind in each language; equal in every run and in both forms of the year. */
export function makeQuestions(year: MadeYear, count: number): readonly YearQuestion[] {
  const maker = new QuestionMaker(year)
  const chances = new Chances(year.seed + 3)
  const candidates = chances.shuffled(year.entities.flatMap((entity) => maker.candidatesAbout(entity)))
  const fair = candidates.map((candidate) => questionOf(candidate, year, chances)).filter(isFair)
  // Two events of one day are asked for once.
  const questions = [...new Map(fair.map((question) => [question.text, question])).values()]
  return QUESTION_KINDS.flatMap((kind) =>
    YEAR_LANGUAGES.flatMap((language) =>
      questions.filter((question) => question.kind === kind && question.language === language).slice(0, count),
    ),
  )
}
