import type { EmbeddingCall } from '../wire/exchange.ts'

/** A line of an input file, as the service understood it. */
export interface BatchLine {
  readonly id: string
  readonly call: EmbeddingCall
}

export interface ServiceJob {
  readonly id: string
  readonly inputFile: string
  /** Metadata, or the display name under `displayName`. */
  readonly metadata: Readonly<Record<string, string>>
  /** Fields of the job beside its lines, such as the model. */
  readonly request: Readonly<Record<string, unknown>>
  readonly lines: readonly BatchLine[]
  /** Why no line of it will be worked on. */
  readonly problem?: string
  readonly createdAtMs: number
  readonly plan: JobPlan
  readonly cancelledAtMs?: number
}

/** Fate of one line: `missing` lines are in no file, `twice` ones two times, `malformed` ones cut off in the middle. */
export type LineFate = 'good' | 'refused' | 'busy' | 'missing' | 'twice' | 'malformed' | 'short' | 'zeros'

/** How a job goes. */
export interface JobPlan {
  /** Until its file is checked. Default 1,000. */
  readonly validationMs: number
  /** From then on until its end. Default 60,000. */
  readonly workMs: number
  /** From a cancellation until it holds. Default 1,000. */
  readonly cancelMs: number
  /** `failed`: its file is refused. `expired`: the window ended first. `stuck`: never ends. Default `completed`. */
  readonly end: 'completed' | 'failed' | 'expired' | 'stuck'
  /** Share of its lines that are done when it expires, 0 to 1. Default 0.5. */
  readonly doneShare: number
  /** A state the service says instead of the true one. */
  readonly word?: string
  /** Default `good`. */
  readonly fate: (line: BatchLine, index: number) => LineFate
  /** The files' lines on their way out, for whatever else may be wrong with them. They come shuffled, without ends of lines. */
  readonly bend: (lines: Iterable<string>) => Iterable<string>
  readonly lineEnd: '\n' | '\r\n'
  /** Whether the last line has an end too. Default true. */
  readonly hasLastEnd: boolean
}
