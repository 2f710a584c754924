/** What keyword ranking was tuned with; every default is measured, see docs/quality.md. Query side only: no value needs a new index. */
export interface KeywordTuning {
  /** Factors of a term's BM25, against 1 for a word of the text. 0 leaves the term out. */
  readonly weights: {
    /** The word in title, headings, aliases, tags. */
    readonly context: number
    /** The word in the path. */
    readonly path: number
    /** A compound that is a file's path, base name or stem. */
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
    /** What a word may only perhaps be a form of (see `looseStemsOf`). */
    readonly looseStem: number
    /** A compound as it stands. */
    readonly compound: number
    /** What the query writes apart, as one word. */
    readonly joined: number
    /** Function words. */
    readonly stop: number
    /** On top of the weight that grams have by script. */
    readonly gram: number
  }
  /** What covering every word of the query adds, as a share of the score. */
  readonly coverageBonus: number
  /** What the parts of a compound or phrase in a row add, as a share of the score. */
  readonly compoundBonus: number
}

/** What a term in any spelling is worth, of its weight; the rest is for the spelling asked for, so that it ranks first. */
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
