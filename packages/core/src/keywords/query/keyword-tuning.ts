/**
 * Tuning values of keyword ranking; every default is measured, see docs/quality.md. Query side only: no value needs a
 * new index.
 */
export interface KeywordTuning {
  /** Factors of a term's BM25, against 1 for a word of the text. 0 leaves the term out. */
  readonly weights: {
    /** The word in title, headings, aliases, tags. */
    readonly context: number
    /** The word in the path. */
    readonly path: number
    /** A compound that equals a file's path, base name or stem. */
    readonly name: number
    /** A date of the query among the days of a note. */
    readonly date: number
    /** `key:value` of the query in the front matter of a note. */
    readonly property: number
    /** The words that name a date: `May`, `2nd`. */
    readonly wordOfDate: number
    /** Parts of camelCase and of emoji. */
    readonly variant: number
    readonly stem: number
    /** Words of which the query word may be a form (see `looseStemsOf`). */
    readonly looseStem: number
    /** A compound with its signs. */
    readonly compound: number
    /** Separate parts of the query joined to one word. */
    readonly joined: number
    /** Function words. */
    readonly stop: number
    /** Applied on top of the weight of grams by script. */
    readonly gram: number
  }
  /** Bonus for covering every word of the query, as a share of the score. */
  readonly coverageBonus: number
  /** Bonus for the parts of a compound or phrase in a row, as a share of the score. */
  readonly compoundBonus: number
}

/** Share of a term's weight for any of its spellings; the rest is for the exact spelling, so that it ranks first. */
export const OTHERWISE = 0.7

export const KEYWORD_TUNING: KeywordTuning = {
  weights: {
    context: 0.5,
    path: 0.3,
    name: 1,
    date: 4,
    property: 4,
    wordOfDate: 0.3,
    variant: 0.6,
    stem: 0.5,
    looseStem: 0.2,
    compound: 1.5,
    joined: 0.5,
    stop: 0.2,
    gram: 1,
  },
  coverageBonus: 1,
  compoundBonus: 0.3,
}
