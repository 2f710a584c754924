/** Languages of the made-up year. */
export type YearLanguage = 'en' | 'ar' | 'zh'
export const YEAR_LANGUAGES: readonly YearLanguage[] = ['en', 'ar', 'zh']

export type EntityType = 'person' | 'project' | 'thing'
/** A property with one value at a time; pages of entities declare its phrases. */
export type SlotName = 'home' | 'employer' | 'duty' | 'lead' | 'host' | 'code' | 'keeper'

export interface SlotWords {
  /** Words of a fact before the value. */
  readonly phrases: readonly [string, string]
  readonly values: readonly string[]
  /** Questions with `{name}`, and with `{when}`. */
  readonly askNow: string
  readonly askThen: string
}

/** A preference of a person in one situation: `{situation}` is the only word that facts and questions have in common. */
export interface PreferenceWords {
  readonly situation: string
  readonly likes: readonly string[]
}

export interface NamedThing {
  readonly name: string
  readonly aliases: readonly [string, string]
}

/** Everything that one language needs to tell a year and to ask about it. */
export interface YearWords {
  readonly entities: Readonly<Record<EntityType, readonly NamedThing[]>>
  readonly slots: Readonly<Record<SlotName, SlotWords>>
  readonly preferences: readonly PreferenceWords[]
  /** Facts with `{like}` and `{situation}`; questions with `{name}` and `{situation}`. */
  readonly liking: string
  readonly preferenceQuestion: string
  /** Facts with `{noun}`. */
  readonly events: readonly string[]
  readonly nouns: readonly string[]
  /** With `{name}` and `{noun}`. */
  readonly entityQuestion: string
  /** With `{name}` and `{when}`. */
  readonly monthQuestion: string
  readonly dayQuestion: string
  /** Sentences of a log that state no fact, with `{name}` and `{noun}`. */
  readonly filler: readonly string[]
  readonly months: readonly string[]
  /** With `{month}` (its name), `{number}`, `{day}`. */
  readonly monthText: string
  readonly dayText: string
  /** Prose with `{said}` and days: on a day, since a day, from one to another. */
  readonly on: string
  readonly since: string
  readonly range: string
  readonly corrected: string
  readonly changed: string
  /** Between a name and what is said of it: `Mara lives`, `Room-101: the door`. */
  readonly afterName: string
  readonly afterTopic: string
  readonly fullStop: string
}
