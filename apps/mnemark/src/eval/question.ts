/** A question, and the place of its answer. */
export interface Question {
  readonly text: string
  /** The source of the question; `given` means written by a person, in a file. */
  readonly from: 'heading' | 'name' | 'date' | 'given'
  /** A language, or the script its notes are written in. */
  readonly language: string
  /** Each is one right answer; there is at least one. */
  readonly gold: readonly Place[]
}

/** Lines of a note, or the whole note. */
export interface Place {
  readonly path: string
  /** First and last, counted from 1. */
  readonly lines?: readonly [first: number, last: number]
}
