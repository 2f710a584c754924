import type { Degradation, DegradationCode } from '@mnemark/spec'
import { neutralise } from './data-envelope.ts'

/** These name tags, folders and notes, whose names come from whoever wrote a note, so they belong inside the envelope. */
const QUOTING: ReadonlySet<DegradationCode> = new Set(['filter-unmatched', 'files-skipped'])

export interface Remarks {
  /** Disarmed; for inside the envelope. */
  readonly quoting: readonly string[]
  readonly own: readonly string[]
}

/** The remarks of an answer about itself, as text. */
export function remarksOf(degraded: readonly Degradation[]): Remarks {
  const told = (isQuoting: boolean): readonly string[] =>
    degraded.filter(({ code }) => QUOTING.has(code) === isQuoting).map(({ message }) => `Note: ${neutralise(message)}`)
  return { quoting: told(true), own: told(false) }
}
