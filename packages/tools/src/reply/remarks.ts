import type { Degradation, DegradationCode } from '@mnemark/spec'
import { neutralise } from './data-envelope.ts'

/** These name tags, folders and notes, and whoever wrote a note chose those: they belong into the envelope. */
const QUOTING: ReadonlySet<DegradationCode> = new Set(['filter-unmatched', 'files-skipped'])

export interface Remarks {
  /** Made harmless; for inside of the envelope. */
  readonly quoting: readonly string[]
  readonly own: readonly string[]
}

/** What an answer says of itself, in words. */
export function remarksOf(degraded: readonly Degradation[]): Remarks {
  const told = (isQuoting: boolean): readonly string[] =>
    degraded.filter(({ code }) => QUOTING.has(code) === isQuoting).map(({ message }) => `Note: ${neutralise(message)}`)
  return { quoting: told(true), own: told(false) }
}
