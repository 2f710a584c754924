import { writeFact } from '@mnemark/bank'
import type { GoldPlace, Note } from '../quality/tasks/task.ts'
import { Chances } from './chances.ts'
import { type EntityCounts, entityPage, type MadeEntity, makeEntities, WORDS } from './made-entities.ts'
import { type MadeFact, writableOf } from './made-fact.ts'
import { makeFacts } from './made-facts.ts'
import { proseOf } from './prose.ts'
import { dayText, DAYS_OF_YEAR, languageOfDay } from './year-days.ts'

/** A line of a note, from 1. */
export type Place = Required<GoldPlace>

export interface YearSize {
  readonly facts: number
  /** In each of the three languages. */
  readonly entities: EntityCounts
}
/** 1,000 facts about 60 entities. */
export const WHOLE_YEAR: YearSize = { facts: 1000, entities: { person: 10, project: 4, thing: 6 } }

/** Whether facts stand in Retain sections, or are said in the sentences and bullets of ordinary logs. */
export type YearForm = 'retain' | 'prose'

export interface MadeYear {
  readonly seed: number
  readonly form: YearForm
  readonly entities: readonly MadeEntity[]
  readonly facts: readonly MadeFact[]
  readonly notes: readonly Note[]
  /** Paths of logs that come into the folder after all others were indexed. */
  readonly late: ReadonlySet<string>
  /** Where each fact stands, by its id: its own line first, then exact copies in other notes. */
  readonly places: ReadonlyMap<string, readonly Place[]>
}

const LATE_SHARE = 0.12
const COPIED_SHARE = 0.15
const COPIES_A_NOTE = 10

interface Line {
  readonly text: string
  readonly fact?: MadeFact
}

class Notebook {
  readonly notes: Note[] = []
  readonly places = new Map<string, Place[]>()

  add(path: string, lines: readonly Line[]): void {
    this.notes.push({ path, text: `${lines.map(({ text }) => text).join('\n')}\n` })
    for (const [at, { fact }] of lines.entries()) {
      if (fact === undefined) continue
      const known = this.places.get(fact.id)
      const place = { path, line: at + 1 }
      if (known === undefined) this.places.set(fact.id, [place])
      else known.push(place)
    }
  }
}

function fillerFor(day: number, entities: readonly MadeEntity[], taken: ReadonlySet<string>, chances: Chances): Line {
  const { filler, nouns, fullStop } = WORDS[languageOfDay(day)]
  const entity = chances.one(entities.filter(({ language }) => language === languageOfDay(day)))
  const noun = chances.one(nouns.filter((one) => !taken.has(`${entity.name} ${one}`)))
  return { text: `- ${chances.one(filler).replace('{name}', entity.name).replace('{noun}', noun)}${fullStop}` }
}

/** Bullets, and paragraphs of one sentence a line. */
function proseLines(facts: readonly MadeFact[], chances: Chances): readonly Line[] {
  return facts.flatMap((fact): Line[] => {
    const text = proseOf(fact)
    return chances.happens(0.5) ? [{ text: `- ${text}`, fact }] : [{ text: '' }, { text, fact }, { text: '' }]
  })
}

function retainLines(facts: readonly MadeFact[]): readonly Line[] {
  if (facts.length === 0) return []
  return [{ text: '' }, { text: '## Retain' }, ...facts.map((fact) => ({ text: writeFact(writableOf(fact)), fact }))]
}

function linesOf(form: YearForm, filler: readonly Line[], facts: readonly MadeFact[], chances: Chances): readonly Line[] {
  if (form === 'retain') return [...filler, ...retainLines(facts)]
  const middle = Math.ceil(filler.length / 2)
  return [...filler.slice(0, middle), ...proseLines(facts, chances), ...filler.slice(middle)]
}

/** The year of a seed: equal in every run. Its facts are the same in both forms. */
export function makeYear(seed: number, form: YearForm, size: YearSize = WHOLE_YEAR): MadeYear {
  const entities = makeEntities(size.entities)
  const facts = makeFacts(entities, size.facts, new Chances(seed))
  const chances = new Chances(seed + 1)
  const book = new Notebook()
  for (const entity of entities) book.notes.push(entityPage(entity))
  const taken = new Set(facts.flatMap(({ entity, topic }) => (topic.type === 'event' ? [`${entity.name} ${topic.noun}`] : [])))
  const late = new Set<string>()
  for (let day = 0; day < DAYS_OF_YEAR; day += 1) {
    const path = `memory/${dayText(day)}.md`
    const filler = Array.from({ length: chances.between(2, 5) }, () => fillerFor(day, entities, taken, chances))
    const told = facts.filter((fact) => fact.day === day)
    const isLate = chances.happens(LATE_SHARE)
    if (isLate) late.add(path)
    book.add(path, [{ text: `# ${dayText(day)}` }, { text: '' }, ...linesOf(form, filler, told, new Chances(seed + day))])
  }
  // Only lines that name their days mean the same in a note of another day.
  const copied = facts.filter(({ isDated }) => isDated && chances.happens(COPIED_SHARE))
  for (let from = 0; from < copied.length; from += COPIES_A_NOTE) {
    const some = copied.slice(from, from + COPIES_A_NOTE)
    const lines = linesOf(form, [], some, new Chances(seed + DAYS_OF_YEAR + from))
    book.add(`notes/kept-${from / COPIES_A_NOTE + 1}.md`, [{ text: '# Kept' }, ...lines])
  }
  return { seed, form, entities, facts, notes: book.notes, late, places: book.places }
}
