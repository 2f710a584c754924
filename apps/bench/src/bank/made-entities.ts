import { ARABIC } from './words/arabic.ts'
import { CHINESE } from './words/chinese.ts'
import { ENGLISH } from './words/english.ts'
import { type EntityType, type SlotName, YEAR_LANGUAGES, type YearLanguage, type YearWords } from './words/year-words.ts'
import type { Note } from '../quality/tasks/task.ts'

export const WORDS: Readonly<Record<YearLanguage, YearWords>> = { en: ENGLISH, ar: ARABIC, zh: CHINESE }

export interface MadeEntity {
  readonly name: string
  /** Its names in the two other scripts. */
  readonly aliases: readonly string[]
  readonly type: EntityType
  /** Language of its facts and of the questions about it. */
  readonly language: YearLanguage
}

/** How many entities of each type each language has. */
export type EntityCounts = Readonly<Record<EntityType, number>>

const SLOTS: Readonly<Record<EntityType, readonly SlotName[]>> = {
  person: ['home', 'employer', 'duty'],
  project: ['lead', 'host'],
  thing: ['code', 'keeper'],
}

export function slotsOf({ type }: Pick<MadeEntity, 'type'>): readonly SlotName[] {
  return SLOTS[type]
}

export function makeEntities(counts: EntityCounts): readonly MadeEntity[] {
  const types: readonly EntityType[] = ['person', 'project', 'thing']
  return YEAR_LANGUAGES.flatMap((language) =>
    types.flatMap((type) =>
      WORDS[language].entities[type].slice(0, counts[type]).map((entity): MadeEntity => ({ ...entity, type, language })),
    ),
  )
}

/** The page of an entity: its names and the phrases that give the value of a slot, and no fact. */
export function entityPage(entity: MadeEntity): Note {
  const { name, aliases, type, language } = entity
  const phrases = slotsOf(entity).map((slot) => `  ${slot}: ${JSON.stringify(WORDS[language].slots[slot].phrases)}`)
  const lines = [
    '---',
    `title: ${JSON.stringify(name)}`,
    `type: ${type}`,
    `aliases: ${JSON.stringify(aliases)}`,
    'slots:',
    ...phrases,
  ]
  return { path: `bank/entities/${name.replaceAll(' ', '-')}.md`, text: `${lines.join('\n')}\n---\n\n# ${name}\n` }
}
