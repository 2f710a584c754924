import type { ChunkAttributes, MemorySettings } from '@mnemark/spec'

export interface Note {
  readonly path: string
  readonly text: string
  readonly attributes?: ChunkAttributes
}
/** Where an answer stands: a line of a note, counted from 1, or the whole note. */
export interface GoldPlace {
  readonly path: string
  readonly line?: number
}
export interface Question {
  readonly id: string
  readonly text: string
  readonly type: string
  readonly gold: readonly GoldPlace[]
}
/** One memory and what is asked of it. */
export interface Task {
  readonly name: string
  readonly notes: readonly Note[]
  readonly questions: readonly Question[]
  /** Settings that the form of the set needs; the rest are the product's defaults. */
  readonly settings: MemorySettings
}

export type Split = 'tune' | 'final'

/** A set of questions in one language; its questions may be spread over several memories. */
export interface EvaluationSet {
  readonly name: string
  readonly language: string
  readonly split: Split
  /** Reads the files; throws Error with the file's name where one has another form. */
  load(): readonly Task[]
}
